import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { describeCall } from '#server/rest/openapi.ts';
import { REST_CALLS } from '#server/rest/table.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createDemoDatabase } from '../demo.ts';

/** Rows to compare: what every call gives at once. */
const MOST = 24;

let test: TestApp;
let mia: Actor;
let admin: Actor;
let dealIds: Record<'exchange' | 'bid', number>;
let merchant: string;

beforeAll(async () => {
  const database = await createDemoDatabase();
  test = await createTestApp({ database });
  const personNamed = (username: string) =>
    database.db
      .selectFrom('users')
      .select(['id', 'username', 'role', 'status', 'createdAt as memberSince'])
      .where('username', '=', username)
      .select(sql.lit(true).as('isConfirmed'))
      .select(sql.lit(true).as('isEstablished'))
      .$narrowType<Actor>()
      .executeTakeFirstOrThrow();
  mia = await personNamed('maple_mia');
  admin = { ...(await personNamed('referee_ruth')), role: 'admin' };
  await database.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute();
  const talked = (column: 'exchangeId' | 'bidId') =>
    database.db
      .selectFrom('messages')
      .select([`${column} as id`])
      .where(column, 'is not', null)
      .where((where) => where.or([where('senderId', '=', mia.id), where('receiverId', '=', mia.id)]))
      .groupBy(column)
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .$narrowType<{ id: number }>()
      .executeTakeFirstOrThrow();
  dealIds = { exchange: (await talked('exchangeId')).id, bid: (await talked('bidId')).id };
  const largest = database.db.selectFrom('feedMerchants').select('name').orderBy('offers', 'desc');
  merchant = (await largest.executeTakeFirstOrThrow()).name;
  // The demo has no disputes.
  const at = test.ctx.clock();
  await database.db
    .updateTable('paymentTransactions')
    .set({ isDisputed: true, disputedAt: at, evidenceDueAt: at })
    .where('status', 'in', ['held', 'completed'])
    .execute();
  // The demo tells no programs.
  await database.pool.query(
    `insert into webhook_endpoints (id, user_id, url, secret, events, is_for_all, created_at)
     values ($1, $1, 'https://shop.example/hook', '', '{bid.placed}', false, now())`,
    [mia.id],
  );
  await database.pool.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, payload, created_at)
     select $1, 'msg_' || repeat('x', 20) || number, 'bid.placed', '{}', now() from generate_series(1, 9) as number`,
    [mia.id],
  );
  // The demo refuses nobody: calls that only admins may make, for a list of refusals.
  for (const { path } of REST_CALLS.filter((call) => call.method === 'GET' && call.path.includes('/admin/')))
    await test.call(mia, { method: 'GET', url: path });
  await test.deps.deniedRequests.flush();
});
afterAll(() => test.close());

const LISTS = REST_CALLS.filter((call) => call.method === 'GET' && describeCall(call).isPage);

/** The lists once more, in other orders and parts. */
const VARIANTS: Record<string, string[]> = {
  '/api/coupons': ['sort=oldest', 'sort=value-high', 'sort=value-low', 'sort=expiry', 'sort=price-low'],
  '/api/deals': ['only=bids', 'only=exchanges'],
  '/api/bids': ['role=owner', 'role=bidder'],
  '/api/exchanges': ['tab=requested', 'tab=received'],
  '/api/claims': ['onlyOpen=false'],
  '/api/leaderboard': ['category=exchanges'],
  '/api/discover-offers': ['merchant='],
  '/api/admin/users': ['sort=name-asc', 'sort=reports-desc', 'role=user&sort=joined-asc'],
  '/api/admin/platform-fees': ['sort=amount-desc', 'sort=date-asc'],
  '/api/admin/audit-log': ['sort=date-asc'],
  '/api/admin/payment-issues': ['sort=since-desc'],
};

const ROWS = LISTS.flatMap(({ path, input }) => {
  const base = path === '/api/discover-offers' || path === '/api/claims' ? [] : [''];
  return [...base, ...(VARIANTS[path] ?? [])].map((query) => ({ path, input, query }));
});

interface Read {
  readonly items: unknown[];
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

async function read(who: Actor, url: string): Promise<Read> {
  const answer = await test.call(who, { method: 'GET', url });
  expect({ url, status: answer.statusCode }).toEqual({ url, status: 200 });
  const links = String(answer.headers.link ?? '');
  const linkTo = (relation: string) => new RegExp(`<([^>]+)>; rel="${relation}"`).exec(links)?.[1];
  return { items: answer.json(), next: linkTo('next'), previous: linkTo('prev') };
}

it.each(ROWS)('$path?$query is read to its end and back by its links', async ({ path, input, query }) => {
  const who = /admin|claims|reports/.test(path) ? admin : mia;
  const filled = path
    .replace(':dealId', String(dealIds[input.dealType === 'bid' ? 'bid' : 'exchange']))
    .replace(/:(id|userId)/, String(mia.id))
    .replace(':merchant', 'Blue%20Kettle%20Coffee');
  const filter = query === 'merchant=' ? `${query}${encodeURIComponent(merchant)}` : query;
  const urlOf = (limit: number) => `${filled}?${filter}&limit=${limit}`;
  // A thread is read from its end, each page in the order of reading.
  const isThread = path.endsWith('/messages');
  const whole = (await read(who, urlOf(MOST))).items;
  expect(whole.length, 'more than one page').toBeGreaterThan(1);
  // Small pages, so that ties cross their ends.
  const limit = whole.length > 4 ? 4 : 1;

  const join = (pages: Read[]) => (isThread ? pages.toReversed() : pages).flatMap(({ items }) => items);
  const forth: Read[] = [await read(who, urlOf(limit))];
  while (forth.at(-1)?.next && forth.length * limit < whole.length)
    forth.push(await read(who, forth.at(-1)?.next ?? ''));
  const walked = join(forth);
  expect(isThread ? walked : walked.slice(0, MOST)).toEqual(whole);
  const back: Read[] = [forth.at(-1) as Read];
  while (back[0]?.previous) back.unshift(await read(who, back[0].previous));
  expect(join(back)).toEqual(walked);
});
