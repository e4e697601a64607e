import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { bidById } from '#server/deals/bids/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { bidOn, createBid, paySale } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, move, noticesOf, propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import {
  acceptedDeal,
  cancelAcceptedExchange,
  cancelOpenDeals,
  cancelPendingDeals,
  checkNotBanned,
  checkOpenToOffers,
  countCompleted,
  endClaim,
  endDeals,
  endRefusedDeal,
  insertClaim,
  listOpenDeals,
  lockOpenDeals,
} from './service.ts';

/** What ends deals writes it: one case for each kind of change. decide.test.ts says what follows from what. */

const ctx = setUpContext();
afterAll(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

const at = () => ctx.clock();
const inOne = <Result>(work: (trx: Trx) => Promise<Result>) => inTransaction(ctx.db, work);
const exchange = (who: Actor, id: number) => exchangeById(actingAs(ctx, who), id);
const bid = (who: Actor, id: number) => bidById(actingAs(ctx, who), id);

async function heldIds(...ids: readonly number[]): Promise<number[]> {
  const held = ctx.db
    .selectFrom('couponReservations')
    .select('couponId')
    .where('couponId', 'in', [...ids]);
  return (await held.execute()).map(({ couponId }) => couponId);
}

const REFUSED = { status: 'cancelled', reason: 'code_refused' };

describe('a code that is refused', () => {
  it('ends its accepted exchange and what is pending on the coupon, once, and takes it off the lists', async () => {
    const { id, requester, owner, requested, offered } = await createDeal(ctx);
    const rival = await createUser(ctx);
    const pending = await propose(ctx, rival, { offered: await createCoupon(ctx, rival), requested });
    await move(ctx, owner, id, 'accepted');
    const couponIds = [requested.id];
    const refuse = () =>
      inOne((trx) => endRefusedDeal(trx, { deal: { exchangeId: id }, couponIds, at: at() }));
    await refuse();
    expect(await exchange(requester, id)).toMatchObject(REFUSED);
    expect(await exchange(rival, pending.id)).toMatchObject(REFUSED);
    expect(await heldIds(requested.id, offered.id)).toEqual([]);
    const coupons = ctx.db.selectFrom('coupons').select(['id', 'isActive']).orderBy('id');
    expect(await coupons.where('id', 'in', [offered.id, requested.id]).execute()).toEqual([
      { id: offered.id, isActive: true },
      { id: requested.id, isActive: false },
    ]);
    const told = (await noticesOf(ctx, owner)).length;
    await refuse();
    expect(await noticesOf(ctx, owner)).toHaveLength(told);
  });

  it('ends its accepted bid', async () => {
    const { id, bidder, coupon } = await createBid(ctx, 'accepted');
    await inOne((trx) => endRefusedDeal(trx, { deal: { bidId: id }, couponIds: [coupon.id], at: at() }));
    expect(await bid(bidder, id)).toMatchObject(REFUSED);
    expect(await heldIds(coupon.id)).toEqual([]);
  });
});

it('an accepted exchange that is not paid in time ends and frees its coupons; another does not', async () => {
  const accepted = await createDeal(ctx, 'accepted');
  const pending = await createDeal(ctx);
  const cancel = (id: number) =>
    inOne((trx) => cancelAcceptedExchange(trx, { id, couponIds: [], reason: 'deadline', at: at() }));
  expect([await cancel(accepted.id), await cancel(pending.id)]).toEqual([true, false]);
  expect(await exchange(accepted.owner, accepted.id)).toMatchObject({ reason: 'deadline' });
  expect(await exchange(pending.owner, pending.id)).toMatchObject({ status: 'pending' });
  expect(await heldIds(accepted.requested.id, accepted.offered.id)).toEqual([]);
});

it('what is pending on a coupon ends with it, bids and exchanges, and everybody but the actor is told', async () => {
  const { id, requester, owner, requested } = await createDeal(ctx);
  const bidder = await createUser(ctx);
  const placed = await bidOn(ctx, bidder, requested);
  const before = (await noticesOf(ctx, owner)).length;
  const cause = { couponIds: [requested.id], reason: 'coupon_changed', at: at(), actorId: owner.id } as const;
  expect(await inOne((trx) => cancelPendingDeals(trx, cause))).toBe(2);
  expect(await exchange(requester, id)).toMatchObject({ status: 'cancelled', reason: 'coupon_changed' });
  expect(await bid(bidder, placed.id)).toMatchObject({ status: 'cancelled', reason: 'coupon_changed' });
  expect(await noticesOf(ctx, owner)).toHaveLength(before);
  expect(await noticesOf(ctx, bidder)).toHaveLength(1);
  expect(await inOne((trx) => cancelPendingDeals(trx, cause))).toBe(0);
});

it('an accepted deal on a coupon that has gone elsewhere ends', async () => {
  const { id, owner, requested } = await createDeal(ctx, 'accepted');
  const deals = [acceptedDeal({ exchangeId: id })];
  const cause = { reason: 'rival_completed', couponIds: [requested.id], actorId: null, at: at() } as const;
  expect(await inOne((trx) => endDeals(trx, { ...cause, deals }))).toBe(1);
  expect(await exchange(owner, id)).toMatchObject({ status: 'cancelled', reason: 'rival_completed' });
});

it('the open deals of somebody who is banned end, once', async () => {
  const { id, requester, owner } = await createDeal(ctx, 'accepted');
  const seller = await createUser(ctx);
  const placed = await bidOn(ctx, owner, await createCoupon(ctx, seller));
  const deals = await listOpenDeals(ctx.db, owner.id, 10);
  expect(deals.map(({ kind, id: dealId }) => `${kind} ${dealId}`).sort()).toEqual(
    [`bid ${placed.id}`, `exchange ${id}`].sort(),
  );
  const locked = await inOne((trx) => lockOpenDeals(trx, deals));
  expect(locked).toMatchObject({ exchanges: [{ id, status: 'accepted' }], bids: [{ id: placed.id }] });
  const cause = { reason: 'party_banned', at: at(), actorId: null, closedId: owner.id } as const;
  expect(await inOne((trx) => cancelOpenDeals(trx, deals, cause))).toBe(2);
  expect(await exchange(requester, id)).toMatchObject({ status: 'cancelled', reason: 'party_banned' });
  expect(await bid(seller, placed.id)).toMatchObject({ status: 'cancelled', reason: 'party_banned' });
  expect(await inOne((trx) => cancelOpenDeals(trx, deals, cause))).toBe(0);
});

it('deals are counted for each of their parties, and a sale that is undone is taken away', async () => {
  const [one, two] = [await createUser(ctx), await createUser(ctx)];
  const ids = [one.id, two.id];
  await inOne(async (trx) => {
    await countCompleted(trx, 'exchange', ids);
    await countCompleted(trx, 'bid', ids);
    await countCompleted(trx, 'bid', ids);
    await countCompleted(trx, 'bid', ids, -1);
  });
  const counts = ctx.db.selectFrom('users').select(['successfulExchanges', 'acceptedBids']);
  const counted = { successfulExchanges: 1, acceptedBids: 1 };
  expect(await counts.where('id', 'in', ids).execute()).toEqual([counted, counted]);
  await ctx.db
    .updateTable('users')
    .set({ successfulExchanges: 0, acceptedBids: 0 })
    .where('id', 'in', ids)
    .execute();
});

it('a banned person begins no deal', async () => {
  const [banned, other] = [await createUser(ctx, { status: 'banned' }), await createUser(ctx)];
  await expect(inOne((trx) => checkNotBanned(trx, banned.id))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(inOne((trx) => checkNotBanned(trx, other.id))).resolves.toBeUndefined();
});

it('a coupon that is not open to offers is refused on its field', () => {
  expect(() => checkOpenToOffers({ title: 'Tea', isOpenToOffers: true }, 'couponId')).not.toThrow();
  expect(() => checkOpenToOffers({ title: 'Tea', isOpenToOffers: false }, 'couponId')).toThrow(
    expect.objectContaining({
      code: 'coupon_unavailable',
      issues: [expect.objectContaining({ path: 'couponId' })],
    }),
  );
});

it('a claim is ended once', async () => {
  const { id, owner } = await createBid(ctx, 'accepted');
  await paySale(ctx, id);
  const claim = {
    id: await inOne((trx) =>
      insertClaim(trx, { about: { bidId: id }, reason: 'The till says that it was used.', at: at() }),
    ),
  };
  const end = { claim, status: 'released', note: 'It was used.', decidedBy: owner.id, at: at() } as const;
  const ends = await inOne(async (trx) => [await endClaim(trx, end), await endClaim(trx, end)]);
  expect(ends).toEqual([true, false]);
});
