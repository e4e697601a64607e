import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import { createWebhookInputSchema } from '#contract/people/webhooks.ts';
import type { Actor } from '#server/context/context.ts';
import { createWant } from '#server/coupons/wants/service.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { createWebhook } from '#server/people/webhooks/service.ts';
import { RECORDING } from '#server/rest/caller.ts';
import { appRouter } from '#server/router.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { actingAs } from '#tests/support/builders.ts';
import { createDemoDatabase } from '../demo.ts';
import type { Person, World } from './access-people.ts';
import { ACCESS } from './access-table.ts';
import { aWebhook } from './webhook-inputs.ts';

/**
 * Queries do not go through tRPC's plugin. A parameter that it ignores sends them there: both must answer the same to
 * every query on the demo's data, byte for byte.
 */

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const QUERIES = Object.entries(ACCESS).filter(
  ([name]) => procedures[name.split(' ')[0] ?? '']?._def.type === 'query' && !RECORDING.has(name),
);
const ASKING = ['anonymous', 'owner', 'admin'] as const;

let test: TestApp;
let world: World;

beforeAll(async () => {
  const database = await createDemoDatabase();
  test = await createTestApp({ database });
  world = await findWorld();
});
afterAll(() => test.close());

/** What the inputs of the access table refer to, taken from the demo. */
async function findWorld(): Promise<World> {
  const first = async (sql: string, values: unknown[] = []) => {
    const { rows } = await test.database.pool.query(`${sql} limit 1`, values);
    if (!rows[0]) throw new Error(`The demo has no row for ${sql}`);
    return rows[0];
  };
  const personOf = async (id: number, role: Actor['role'] = 'user'): Promise<Actor> => {
    await test.database.pool.query('update users set role = $2 where id = $1', [id, role]);
    const { username, status, memberSince } = await first(
      'select username, status, created_at as "memberSince" from users where id = $1',
      [id],
    );
    return { id, username, role, status, memberSince, isConfirmed: true, isEstablished: true };
  };
  const sale =
    await first(`select payment.id as "paymentId", bid_id as "bidId", null as "claimId", bidder_id, owner_id,
    coupon_id from payment_transactions as payment join bids on bids.id = bid_id where payment.status = 'completed'`);
  const exchange = await first('select exchange_id as id from exchange_parties where user_id = $1', [
    sale.owner_id,
  ]);
  const owner = await personOf(sale.owner_id);
  const admin = await first('select id from users where id <> all($1)', [[owner.id, sale.bidder_id]]);
  const want = await createWant(actingAs(test.ctx, owner), createWantInputSchema.parse({ search: 'coffee' }));
  const webhook = await createWebhook(actingAs(test.ctx, owner), createWebhookInputSchema.parse(aWebhook));
  const people = {
    anonymous: null,
    counterpart: await personOf(sale.bidder_id),
    owner,
    admin: await personOf(admin.id, 'admin'),
  } as Record<Person, Actor | null>;
  people.suspended = people.counterpart;
  return {
    people,
    couponId: sale.coupon_id,
    exchangeId: exchange.id,
    bidId: sale.bidId,
    acceptedBidId: sale.bidId,
    sale,
    wantId: want.id,
    webhookId: webhook.id,
    imageId: 'x'.repeat(22),
  } as unknown as World;
}

const inputText = (input: unknown) =>
  input === undefined ? '' : `input=${encodeURIComponent(JSON.stringify(input))}`;

async function ask(who: Actor | null | undefined, path: string, query: string, headers = {}) {
  const url = `/api/trpc/${path}?${query}`;
  const answer = await test.call(who ?? null, { method: 'GET', url, headers });
  const { 'content-length': length, 'transfer-encoding': coding, date: _, ...rest } = answer.headers;
  const id = String(rest['x-request-id']);
  const isZipped = rest['content-encoding'] === 'gzip';
  const body = isZipped ? gunzipSync(answer.rawPayload).toString() : answer.body;
  return {
    status: answer.statusCode,
    isZipped,
    /** The plugin's answers are streams, whose length nobody knows. */
    isStream: length === undefined || coding !== undefined,
    seen: {
      status: answer.statusCode,
      headers: { ...rest, 'x-request-id': '' },
      body: body.replaceAll(id, ''),
    },
  };
}

/** @returns the status that both ways answered with */
async function expectTheSame(
  who: Actor | null | undefined,
  path: string,
  query: string,
  headers = {},
): Promise<number> {
  const light = await ask(who, path, query, headers);
  const stock = await ask(who, path, `${query}&stock`, headers);
  expect(light.seen, `${path} ${query}`).toEqual(stock.seen);
  expect(light.isStream && !light.isZipped, query).toBe(false);
  expect(stock.isStream).toBe(true);
  return light.status;
}

describe('queries answer as tRPC’s plugin does', () => {
  const answered = new Set<string>();

  it.each(QUERIES)('%s: to several people, and to an input of a wrong kind', async (name, [, input]) => {
    const [path = ''] = name.split(' ');
    for (const person of ASKING) {
      const status = await expectTheSame(world.people[person], path, inputText(input?.(world, person)));
      if (status === 200) answered.add(name);
    }
    await expectTheSame(world.people.owner, path, inputText({ id: 'x', limit: 0, page: '\u0000', kind: 5 }));
  });

  it('each was answered to somebody, except where the demo has no picture, sale to pay, such merchant, calendar, copy or wallet', () => {
    const refused = QUERIES.map(([name]) => name).filter((name) => !answered.has(name));
    expect(refused).toEqual([
      'pictures.read',
      'merchants.byName',
      'calendar.feed',
      'dataExports.part',
      'walletPasses.changed',
      'walletPasses.latest',
      'payments.checkout',
      'moderation.claimCase',
    ]);
  });
});

it('a query is not answered by the plugin, unless it is asked in another way than ours', async () => {
  const isStream = async (query: string, headers = {}) =>
    (await ask(null, 'coupons.list', query, headers)).isStream;
  expect(await isStream('input=%7B%7D')).toBe(false);
  expect(await isStream('input=%7B%7D', { 'content-type': 'application/json' })).toBe(true);
  for (const query of [
    'batch=1&input=%7B%7D',
    'input=%7B',
    'input=%7B%7D&input=%7B%7D',
    'connectionParams=%7B',
  ])
    expect(await isStream(query), query).toBe(true);
});

it('compressed answers are the same, too', async () => {
  expect(await expectTheSame(null, 'coupons.list', 'input=%7B%7D', { 'accept-encoding': 'gzip' })).toBe(200);
});

it('failures are the same: of a call, and of the session’s look-up before it', async () => {
  const renamed = async (table: string, act: () => Promise<void>) => {
    await test.database.pool.query(`alter table ${table} rename to mislaid`);
    await act();
    await test.database.pool.query(`alter table mislaid rename to ${table}`);
  };
  const { owner } = world.people;
  await renamed('leaderboard', async () => {
    expect(await expectTheSame(owner, 'leaderboard.list', 'input=%7B%7D')).toBe(500);
  });
  const { token } = await startSession(test.ctx.db, test.ctx.clock, owner?.id ?? 0);
  const cookie = `${sessionCookieName(test.deps.config)}=${token}`;
  await renamed('sessions', async () => {
    expect(await expectTheSame(null, 'accounts.me', '', { cookie })).toBe(500);
  });
});
