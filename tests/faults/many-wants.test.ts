import { afterAll, beforeAll, expect } from 'vitest';
import { createCoupon, createTestContext, createUser, TEST_SECRET_KEY } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { itLong } from '#server/testing/long-form.ts';
import { insertSeekers } from '#server/testing/wants.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';

const PEOPLE = 10_000;
const MINUTE_MS = 60_000;

const database = setUpDatabase();
const servers: ServerProcess[] = [];
beforeAll(() => insertSeekers(database, { from: 1, to: PEOPLE, search: 'unicorn' }));
afterAll(() => Promise.all(servers.map((server) => server.kill())));

async function start(): Promise<ServerProcess> {
  const server = await startServer({
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
    PORT: String(await freePort()),
  });
  servers.push(server);
  return server;
}

async function told(): Promise<{ people: number; notices: number }> {
  const { rows } = await database.pool.query<{ people: number; notices: number }>(
    `select count(distinct user_id)::integer as people, count(*)::integer as notices
    from notifications where type = 'want'`,
  );
  return rows[0] ?? { people: 0, notices: 0 };
}

itLong('10,000 people are told of a coupon once, also if the program is killed in the middle', async () => {
  await createCoupon(createTestContext(database), await createUser(createTestContext(database)), {
    title: 'A unicorn ride',
  });
  const first = await start();
  await expect.poll(async () => (await told()).people, { interval: 5 }).toBeGreaterThan(0);
  await first.kill();
  expect((await told()).people).toBeLessThan(PEOPLE);
  await start();
  await expect.poll(told, { timeout: MINUTE_MS, interval: 100 }).toEqual({
    people: PEOPLE,
    notices: PEOPLE,
  });
});
