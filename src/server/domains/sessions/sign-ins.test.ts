import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGN_INS_KEPT_DAYS, signInSchema } from '#contract/accounts.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import type { Actor } from '../context.ts';
import { listSignIns, removeOldSignIns } from './sign-ins.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Signs in with these cookies; resolves with those that the browser has afterwards. */
async function signIn({ username }: { username: string }, cookies: Record<string, string> = {}) {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/login',
    cookies,
    headers: { 'user-agent': FIREFOX },
    payload: { username, password: TEST_PASSWORD },
  });
  expect(answer.statusCode).toBe(200);
  return Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
}

function mailsTo({ id }: Actor) {
  return test.ctx.db
    .selectFrom('mailOutbox')
    .select(['kind', 'subject', 'body'])
    .where('userId', '=', id)
    .where('kind', '=', 'new_browser')
    .execute();
}

describe('a sign-in', () => {
  it('in a browser that the account does not know is told by mail, and stands in the history', async () => {
    const person = await createUser(test.ctx);
    const browser = await signIn(person);
    expect(await mailsTo(person)).toEqual([
      {
        kind: 'new_browser',
        subject: 'Signed in from a new browser',
        body: 'Firefox on Linux, on Jun 15, 2035 at 12:00 UTC',
      },
    ]);
    await signIn(person, browser);
    expect(await mailsTo(person)).toHaveLength(1);
    const answer = await test.call(person, { method: 'GET', url: '/api/user/sign-ins' });
    const listed = signInSchema.strict().array().parse(answer.json());
    expect(listed.map(({ device, isNewBrowser }) => ({ device, isNewBrowser }))).toEqual([
      { device: 'Firefox on Linux', isNewBrowser: false },
      { device: 'Firefox on Linux', isNewBrowser: true },
    ]);
  });

  it('in a browser that only another account knows is one in a new browser', async () => {
    const [person, other] = [await createUser(test.ctx), await createUser(test.ctx)];
    await signIn(person, await signIn(other));
    expect(await mailsTo(person)).toHaveLength(1);
  });

  it('is shown to its owner alone, and for so many days', async () => {
    const person = await createUser(test.ctx);
    await signIn(person);
    expect(await listSignIns(actingAs(test.ctx, await createUser(test.ctx)))).toEqual([]);
    const mine = actingAs(test.ctx, person);
    test.ctx.clock.advanceDays(SIGN_INS_KEPT_DAYS);
    await removeOldSignIns(test.ctx);
    expect(await listSignIns(mine)).toHaveLength(1);
    test.ctx.clock.advanceDays(1);
    await removeOldSignIns(test.ctx);
    expect(await listSignIns(mine)).toEqual([]);
  });
});
