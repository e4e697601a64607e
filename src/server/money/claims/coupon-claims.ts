import type { CouponClaim } from '#contract/money/claims.ts';
import type { MemberContext } from '#server/context/context.ts';
import { findPaymentOfBid } from '#server/money/payments/service.ts';
import { claimObstacle } from './decide.ts';
import { claimsOfExchange } from './leg-claims.ts';
import { protectionOf } from './protection.ts';
import * as store from './store.ts';

/**
 * What the caller can claim about the code of a coupon that they got in a deal and still have.
 * @returns null for everybody else, and where nothing was paid for it outside of an exchange
 */
export async function claimOnCoupon(ctx: MemberContext, couponId: number): Promise<CouponClaim> {
  const got = await store.findDealOfHolder(ctx.db, { couponId, userId: ctx.actor.id });
  if (!got) return null;
  if (got.exchangeId !== null) {
    const legs = await claimsOfExchange(ctx, got.exchangeId);
    const leg = legs.find((one) => one.couponId === couponId) ?? null;
    const mayClaim = leg?.mayClaim ?? false;
    return { dealType: 'exchange', dealId: got.exchangeId, mayClaim, isLate: false, leg };
  }
  const payment = got.bidId === null ? null : await findPaymentOfBid(ctx.db, got.bidId);
  if (!payment) return null;
  const { claim, mayClaimLate } = await protectionOf(ctx, payment.bidId);
  const mayClaim = claim === null && claimObstacle(payment, ctx.clock()) === null;
  return {
    ...{ dealType: 'bid', dealId: payment.bidId, leg: null, isLate: mayClaimLate },
    mayClaim: mayClaim || mayClaimLate,
  };
}
