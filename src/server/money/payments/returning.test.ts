import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { bidById } from '#server/deals/bids/service.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { bidOn } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { finalSale, setUpStaff } from '#tests/support/claims.ts';
import { move, propose, swapAway } from '#tests/support/exchanges.ts';
import { type AcceptedBid, couponOf, paymentOf, setUpMarket } from '#tests/support/payments.ts';
import { decideClaim, openClaim, withdrawClaim } from '../claims/sale-claims.ts';
import { refundByAdmin } from './admin.ts';

/** Money goes back only with the coupon (decisions 3.21). price-refunds.test.ts has the prices of legs. */

const market = setUpMarket({ config: { guarantee: { days: 7, reservePercent: 20 } } });
const staff = setUpStaff(market);

const as = (actor: Actor) => actingAs(market.ctx, actor);
const passOn = ({ buyer, coupon }: AcceptedBid) => swapAway(market.ctx, buyer, coupon);

const claimLate = (bid: AcceptedBid) =>
  openClaim(as(bid.buyer), { bidId: bid.id, reason: 'The till refuses it.', shopAnswer: 'It is cancelled.' });

describe('a claim under the guarantee', () => {
  it('reserves the coupon from the claim to its end, so that it cannot be swapped away', async () => {
    const [withdrawn, dismissed, granted] = [
      await finalSale(market),
      await finalSale(market),
      await finalSale(market),
    ];
    for (const bid of [withdrawn, dismissed, granted]) {
      await claimLate(bid);
      expect(await couponOf(market.ctx, bid)).toMatchObject({ heldBy: bid.id });
      await expect(passOn(bid)).rejects.toMatchObject({ code: 'coupon_reserved' });
      await expect(markUsed(as(bid.buyer), bid.coupon.id)).rejects.toMatchObject({ code: 'coupon_reserved' });
    }
    await withdrawClaim(as(withdrawn.buyer), withdrawn.id);
    await staff.decide(dismissed, 'release');
    for (const bid of [withdrawn, dismissed])
      expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id, heldBy: null });
    await staff.decide(granted);
    const back = { ownerId: granted.seller.id, isActive: false, heldBy: null };
    expect(await couponOf(market.ctx, granted)).toMatchObject(back);
  });

  it('is not granted without the coupon, and what others wanted of it ends with the grant', async () => {
    // As before claims reserved it.
    const [gone, wanted] = [await finalSale(market), await finalSale(market)];
    const want = await createUser(market.ctx);
    const { id: wantId } = await bidOn(market.ctx, want, wanted.coupon);
    for (const bid of [gone, wanted]) await claimLate(bid);
    await market.ctx.db.deleteFrom('couponReservations').where('bidId', '=', gone.id).execute();
    await passOn(gone);
    await expect(staff.decide(gone)).rejects.toMatchObject({
      code: 'payment_changed',
      message:
        'The buyer has used the coupon, passed it on or promised it to somebody. The money goes back only with the coupon.',
    });
    expect(await market.statusOf(gone)).toBe('completed');
    await decideClaim(as(staff.moderator), {
      id: await staff.claimIdOf(gone),
      decision: 'release',
      note: 'It is gone.',
    });
    await staff.decide(wanted);
    expect(await bidById(as(want), wantId)).toMatchObject({ status: 'cancelled', reason: 'rival_completed' });
    expect(await market.broken()).toEqual([]);
  });
});

describe('a refund by an admin', () => {
  const refund = async (bid: AcceptedBid, amount: string) => {
    const { id: paymentId } = await paymentOf(market.ctx, bid);
    return refundByAdmin(as(staff.admin), { paymentId, amount, returned: '0.00', reason: 'So it is.' });
  };

  it('returns all of the money only with the coupon, and a part without it', async () => {
    const [passed, used, kept] = [await finalSale(market), await finalSale(market), await finalSale(market)];
    await passOn(passed);
    await markUsed(as(used.buyer), used.coupon.id);
    for (const bid of [passed, used]) {
      await expect(refund(bid, '10.50')).rejects.toMatchObject({ code: 'payment_changed' });
      await refund(bid, '10.49');
      expect(await market.statusOf(bid)).toBe('completed');
    }
    await refund(kept, '10.50');
    expect(await market.statusOf(kept)).toBe('refunded');
    expect(await couponOf(market.ctx, kept)).toMatchObject({ ownerId: kept.seller.id, heldBy: null });
  });
});

describe('a refund at the provider', () => {
  it('takes the coupon out of the deal to which the buyer has promised it', async () => {
    const bid = await finalSale(market);
    const other = await createUser(market.ctx);
    const requested = await createCoupon(market.ctx, other);
    const { id } = await propose(market.ctx, bid.buyer, { requested, offered: bid.coupon });
    await move(market.ctx, other, id, 'accepted');
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    await market.stripe.refund(stripePaymentIntentId ?? '', { amount: 1_050 });
    await market.deliverAll();
    expect(await exchangeById(as(other), id)).toMatchObject({
      status: 'cancelled',
      reason: 'rival_completed',
    });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.seller.id, heldBy: null });
    expect(await couponOf(market.ctx, { coupon: requested })).toMatchObject({
      ownerId: other.id,
      heldBy: null,
    });
  });
});
