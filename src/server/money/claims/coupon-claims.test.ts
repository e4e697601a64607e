import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { feedbackOn } from '#server/coupons/codes/code-feedback.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { finalSale, setUpStaff } from '#tests/support/claims.ts';
import { createDeal, move } from '#tests/support/exchanges.ts';
import { setUpMarket } from '#tests/support/payments.ts';
import { claimOnCoupon } from './coupon-claims.ts';
import { openLegClaim } from './leg-claims.ts';
import { openClaim } from './sale-claims.ts';

const market = setUpMarket({ config: { guarantee: { days: 7, reservePercent: 20 } } });
const staff = setUpStaff(market);
const as = (actor: Actor) => actingAs(market.ctx, actor);
const reason = 'The till did not take it.';

it('a bought code can be claimed about by its buyer alone, until there is a claim, which is their answer on the code', async () => {
  const bid = await market.paidBid({ by: 'stripe' });
  const { id: couponId } = bid.coupon;
  const sale = { dealType: 'bid', dealId: bid.id, leg: null, isLate: false };
  expect(await claimOnCoupon(as(bid.buyer), couponId)).toEqual({ ...sale, mayClaim: true });
  for (const other of [bid.seller, await createUser(market.ctx)])
    expect(await claimOnCoupon(as(other), couponId)).toBeNull();
  expect(await feedbackOn(as(bid.buyer), couponId)).toMatchObject({ own: null });
  await openClaim(as(bid.buyer), { bidId: bid.id, reason });
  expect(await claimOnCoupon(as(bid.buyer), couponId)).toEqual({ ...sale, mayClaim: false });
  expect(await feedbackOn(as(bid.buyer), couponId)).toMatchObject({ own: false });
  await staff.decide(bid);
  // The seller has got it back, and the buyer no longer has it.
  for (const party of [bid.seller, bid.buyer]) expect(await claimOnCoupon(as(party), couponId)).toBeNull();
});

it('a final sale can be claimed about under its guarantee alone', async () => {
  const bid = await finalSale(market);
  const seen = () => claimOnCoupon(as(bid.buyer), bid.coupon.id);
  expect(await seen()).toMatchObject({ mayClaim: true, isLate: true });
  market.ctx.clock.advanceDays(30);
  expect(await seen()).toMatchObject({ mayClaim: false });
});

it('a code from a swap can be claimed about for 72 hours, once', async () => {
  const { requester, owner, requested, id } = await createDeal(market.ctx, 'accepted');
  await move(market.ctx, requester, id, 'completed');
  const seen = () => claimOnCoupon(as(requester), requested.id);
  const open = { dealType: 'exchange', dealId: id, mayClaim: true, leg: { couponId: requested.id } };
  expect(await seen()).toMatchObject(open);
  expect(await claimOnCoupon(as(owner), requested.id)).toBeNull();
  await openLegClaim(as(requester), { exchangeId: id, couponId: requested.id, reason });
  expect(await seen()).toMatchObject({ ...open, mayClaim: false });
  expect(await feedbackOn(as(requester), requested.id)).toMatchObject({ own: false });
});
