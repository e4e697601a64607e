import { afterEach, beforeAll, expect, it } from 'vitest';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { listSavedCoupons, saveCoupon } from '#server/coupons/search/saved.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { bidOn, createBid, moveBid, paySale } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, move, propose } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { finishStatusEffects } from './effects.ts';
import { setUserStatus } from './status.ts';

const ctx = setUpContext();
let admin: Actor;
beforeAll(async () => {
  admin = await createUser(ctx, { role: 'admin' });
});
afterEach(async () => expect(await checkInvariants(ctx.db)).toEqual([]));

const set = ({ id }: { id: number }, status: UserStatus) =>
  setUserStatus(actingAs(ctx, admin), { id, status, reason: 'Three people complained.' });

function dealOf(kind: 'bids' | 'exchanges', id: number) {
  return ctx.db.selectFrom(kind).select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow();
}

function couponOf(id: number) {
  return ctx.db
    .selectFrom('coupons')
    .select(['isActive', 'isWithheld', 'ownerId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function toldOf({ id }: Actor): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('notifications')
    .select('content')
    .where('userId', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.content;
}

const ENDED = { status: 'cancelled', reason: 'party_banned' };

it('a ban ends the sessions and hides the listings from everybody else, also in saved lists [decisions 5.2.3]', async () => {
  const [person, other] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, person);
  await saveCoupon(actingAs(ctx, other), coupon.id);
  await startSession(ctx.db, ctx.clock, person.id);
  await set(person, 'banned');
  expect(await couponOf(coupon.id)).toMatchObject({ isActive: false, isWithheld: true });
  await expect(couponById(actingAs(ctx, other), coupon.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(couponById(ctx, coupon.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(bidOn(ctx, other, coupon)).rejects.toMatchObject({ code: 'coupon_unavailable' });
  const offered = await createCoupon(ctx, other);
  await expect(propose(ctx, other, { offered, requested: coupon })).rejects.toMatchObject({
    code: 'coupon_unavailable',
  });
  const page = { page: 1, limit: 50 };
  expect((await listSavedCoupons(actingAs(ctx, other), page)).items).toEqual([]);
  const { items } = await listCoupons(ctx, { ...page, sort: 'newest', merchant: coupon.merchant });
  expect(items.map(({ id }) => id)).not.toContain(coupon.id);
});

it('a ban cancels pending and accepted deals on both sides, frees the coupons and notifies both parties [decisions 6.0.10]', async () => {
  const asked = await createDeal(ctx);
  const swapping = await createDeal(ctx, 'accepted');
  const bidding = await createBid(ctx);
  const unpaid = await createBid(ctx, 'accepted');
  const [person, ...others] = [asked.requester, swapping.owner, bidding.bidder, unpaid.owner];
  await set(person, 'banned');
  for (const other of others) await set(other, 'banned');
  expect(await dealOf('exchanges', asked.id)).toEqual(ENDED);
  expect(await dealOf('exchanges', swapping.id)).toEqual(ENDED);
  expect(await dealOf('bids', bidding.id)).toEqual(ENDED);
  expect(await dealOf('bids', unpaid.id)).toEqual(ENDED);
  for (const told of [asked.owner, swapping.requester, bidding.owner, unpaid.bidder]) {
    expect(await toldOf(told)).toMatch(/was cancelled: moderators closed the other account\.$/);
  }
  // The counterparts' coupons are free again.
  const again = await createCoupon(ctx, await createUser(ctx));
  const { id } = await propose(ctx, swapping.requester, { offered: swapping.offered, requested: again });
  await move(ctx, { ...admin, id: again.ownerId }, id, 'accepted');
});

it('a ban does not change a bid that is being paid or a sale whose money is held', async () => {
  const paid = await createBid(ctx, 'accepted');
  await paySale(ctx, paid.id);
  const paying = await createBid(ctx, 'accepted');
  await ctx.db
    .insertInto('paymentTransactions')
    .values({
      bidId: paying.id,
      senderId: paying.bidder.id,
      receiverId: paying.owner.id,
      provider: 'stripe',
      receiverAccount: 'acct_test',
      amount: '12.50',
      buyerFee: '0.63',
      sellerFee: '0.63',
      platformFee: '1.26',
      netAmount: '11.87',
      status: 'processing',
      createdAt: ctx.clock(),
      updatedAt: ctx.clock(),
    })
    .execute();
  await set(paid.owner, 'banned');
  await set(paying.bidder, 'banned');
  expect(await dealOf('bids', paid.id)).toEqual({ status: 'completed', reason: null });
  expect(await dealOf('bids', paying.id)).toEqual({ status: 'accepted', reason: null });

  // The payment fails, and the job ends the bid.
  const payments = ctx.db.updateTable('paymentTransactions').where('bidId', '=', paying.id);
  await payments.set({ status: 'failed', endedAt: ctx.clock() }).execute();
  expect(await finishStatusEffects(ctx)).toMatchObject({ people: 1 });
  expect(await dealOf('bids', paying.id)).toEqual(ENDED);
  expect(await finishStatusEffects(ctx)).toEqual({ people: 0, cards: 0 });
});

it('the end of a ban lists the hidden coupons again, except expired ones and codes listed by another person [decisions 5.2.4]', async () => {
  const person = await createUser(ctx);
  const fine = await createCoupon(ctx, person);
  const delisted = await createCoupon(ctx, person, { isActive: false });
  const expiring = await createCoupon(ctx, person, { expiryDate: '2035-06-16' });
  const copied = await createCoupon(ctx, person, { code: 'SAME-CODE-TWICE' });
  await set(person, 'banned');
  await createCoupon(ctx, await createUser(ctx), { code: 'SAME-CODE-TWICE' });
  const later = { ...ctx, clock: Object.assign(() => new Date('2035-06-18T12:00:00Z'), ctx.clock) };
  await setUserStatus(actingAs(later, admin), {
    id: person.id,
    status: 'active',
    reason: 'It was a mistake.',
  });
  expect(await couponOf(fine.id)).toMatchObject({ isActive: true, isWithheld: false });
  for (const { id } of [delisted, expiring, copied]) {
    expect(await couponOf(id)).toMatchObject({ isActive: false, isWithheld: false });
  }
});

it('the job finishes an interrupted ban, also for a person with many coupons', async () => {
  const person = await createUser(ctx);
  const deal = await createDeal(ctx);
  const bid = await createBid(ctx);
  for (let i = 0; i < 205; i += 1) await createCoupon(ctx, person, { code: null });
  await ctx.db
    .updateTable('users')
    .set({ status: 'banned' })
    .where('id', 'in', [person.id, deal.owner.id, bid.bidder.id])
    .execute();
  expect(await finishStatusEffects(ctx)).toMatchObject({ people: 3 });
  expect(await dealOf('exchanges', deal.id)).toEqual(ENDED);
  expect(await dealOf('bids', bid.id)).toEqual(ENDED);
  await expect(moveBid(ctx, bid.owner, bid.id, 'accepted')).rejects.toMatchObject({ code: 'deal_changed' });
});

it('a call that started before the ban starts no deal, and a coupon it lists is hidden', async () => {
  const [person, other] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, other);
  await set(person, 'banned');
  // The session was resolved before the ban.
  await expect(bidOn(ctx, person, coupon)).rejects.toMatchObject({ code: 'forbidden' });
  const late = await createCoupon(ctx, person);
  expect(await couponOf(late.id)).toMatchObject({ isActive: false, isWithheld: true });
  await expect(propose(ctx, person, { offered: late, requested: coupon })).rejects.toMatchObject({
    code: 'coupon_unavailable',
  });
  await ctx.db.updateTable('coupons').set({ isActive: true }).where('id', '=', late.id).execute();
  expect(await couponOf(late.id)).toMatchObject({ isActive: false, isWithheld: true });
});
