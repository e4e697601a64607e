import { CamelCasePlugin, Kysely } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import type { ConnectionPool } from '#server/database/connections.ts';
import { createDialect } from '#server/database/driver.ts';
import type { DB } from '#server/database/types.ts';
import { lockPaymentWithDeal } from '#server/money/payments/facts.ts';
import { refreshLeaderboard } from '#server/oversight/leaderboard/service.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';
import { insertHeldSale } from '#tests/support/sales.ts';

/** How many statements each act sends, with the look-up of the session and without `begin`. */

const sent: string[] = [];
const logged = (pool: ConnectionPool) =>
  new Kysely<DB>({
    dialect: createDialect(pool),
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => {
      sent.push(query.sql);
    },
  });
const test = setUpApp({
  webRoot: WEB_SOURCES,
  connect: async (database) => ({ ...database, db: logged(database.pool), close: async () => {} }),
});

let requester: Actor;
let owner: Actor;
let id: number;

beforeAll(async () => {
  requester = await createUser(test.ctx);
  owner = await createUser(test.ctx);
  const [offered, requested] = [
    await createCoupon(test.ctx, requester, { code: 'OFFERED-1' }),
    await createCoupon(test.ctx, owner, { code: 'REQUESTED-1' }),
  ];
  const input = { offeredCouponId: offered.id, requestedCouponId: requested.id };
  id = (await test.trpc(requester, 'mutation', 'exchanges.propose', input)).json().result.data.id;
});

async function statementsOf(who: Actor, path: string, input: unknown): Promise<number> {
  sent.length = 0;
  const answer = await test.trpc(who, 'mutation', path, input);
  expect(answer.statusCode, answer.body).toBe(200);
  return sent.length;
}

it('an exchange is accepted, talked about and completed in few statements', async () => {
  const message = { dealType: 'exchange', dealId: id, content: 'When do we meet?' };
  expect([
    await statementsOf(owner, 'exchanges.setStatus', { id, status: 'accepted' }),
    await statementsOf(requester, 'messages.send', message),
    // The recipient has not read the first one.
    await statementsOf(requester, 'messages.send', message),
    await statementsOf(requester, 'exchanges.setStatus', { id, status: 'completed' }),
  ]).toEqual([10, 6, 6, 20]);
});

it('the page of a coupon asks for the coupon once, and for what stands on it', async () => {
  const { id: couponId } = await createCoupon(test.ctx, owner, { code: 'PAGE-1' });
  // Whose points have changed since has them counted for the page, too.
  await refreshLeaderboard(test.ctx);
  sent.length = 0;
  const headers = { 'user-agent': 'Mozilla' };
  const page = await test.call(null, { method: 'GET', url: `/coupons/${couponId}`, headers });
  expect(page.statusCode).toBe(200);
  expect(
    sent.filter((text) => /^select "coupons"\."id", .* and "coupons"\."id" = \$\d+$/s.test(text)),
  ).toHaveLength(1);
  // One of them reads the other coupons of the merchant.
  expect(sent).toHaveLength(9);
});

it('a coupon is listed in few statements', async () => {
  expect(await statementsOf(owner, 'coupons.create', anOffer())).toBe(8);
});

it('a payment is found and locked in four statements: its coupon, its bid and itself, in this order', async () => {
  const { paymentId } = await insertHeldSale(test.ctx, requester, owner);
  sent.length = 0;
  await inTransaction(logged(test.database.pool), (trx) => lockPaymentWithDeal(trx, paymentId));
  const locked = sent.map((text) => /from "(\w+)".*for no key update/s.exec(text)?.[1] ?? text.slice(0, 6));
  expect(locked).toEqual(['select', 'coupons', 'bids', 'payment_transactions', 'commit']);
});
