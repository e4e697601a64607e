import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import {
  type Cover,
  LATE_CLAIM_DAYS,
  type OfferedCover,
  type OfferedCoverInput,
} from '#contract/money/guarantee.ts';
import type { OpenClaimInput } from '#contract/money/payments.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { couponById } from '#server/coupons/core/service.ts';
import type { Trx } from '#server/database/client.ts';
import { guaranteeDaysOfBid, holdForReturn } from '#server/deals/bids/service.ts';
import { coveredPayments, reserveFor } from '#server/money/books/service.ts';
import type { LockedPayment } from '#server/money/payments/facts.ts';
import { holdUntil, saleOf } from '#server/money/payments/service.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import { coverObstacle, isCovered, lateClaimsObstacle, reservePartOf, returnOfSaleText } from './decide.ts';
import * as store from './guarantee-store.ts';
import { countLateClaims } from './store.ts';

/*
 * The guarantee (decisions 4.3): for some days after the hold, the buyer of a sale can still claim that the code does not
 * work. A granted claim undoes the sale. The seller owes what they were paid: their provider takes it back, or it is kept
 * back from later payouts. Until then the reserve lays it out, as far as it goes; the buyer gets the rest later.
 */

/**
 * What the guarantee would be if the caller bought a coupon now, or sold it; with `bidId`, by this bid.
 * @throws AppError not_found, as for the coupon itself, and for somebody else's bid
 */
export async function offeredCover(
  ctx: MemberContext,
  { couponId, bidId }: OfferedCoverInput,
): Promise<OfferedCover> {
  const { ownerId } = await couponById(ctx, couponId);
  const days = bidId === undefined ? 0 : await guaranteeDaysOfBid(ctx, bidId);
  const buyerId = ownerId === ctx.actor.id ? null : ctx.actor.id;
  return { cover: await coverIfPaidNow(ctx, { couponId, buyerId, sellerId: ownerId, days }) };
}

/** The guarantee of a purchase that is paid now. @param given `buyerId` null: for the seller; `days`: that were agreed at least */
export async function coverIfPaidNow(
  ctx: MemberContext,
  given: { couponId: number; buyerId: number | null; sellerId: number; days: number },
): Promise<Cover | null> {
  const { couponId, buyerId, sellerId } = given;
  const days = Math.max(given.days, ctx.config.guarantee.days);
  if (days === 0) return null;
  const at = ctx.clock();
  const held = holdUntil(at);
  const expiry = await store.findExpiry(ctx.db, couponId);
  const until = expiry !== null && expiry < addDays(held, days) ? expiry : addDays(held, days);
  if (until <= held) return null;
  const payable =
    buyerId === null ? 0 : (await reserveFor(ctx.db, { buyerId, sellerIds: [sellerId], at }))(sellerId, null);
  return { until: until.toISOString(), fromReserve: centsToDecimal(payable) };
}

/** The guarantee of paid sales, as one of their parties sees it. */
interface SeenCover {
  readonly cover: Cover | null;
  readonly mayClaimLate: boolean;
}

/**
 * The guarantee of payments, by payment; those without one are left out. It ends with its time, and when the buyer has
 * used the coupon or has it no longer.
 * @param claimed the bids with a claim
 */
export async function coversOf(
  { db, actor, clock }: MemberContext,
  payments: readonly Payment[],
  claimed: { has(bidId: number): boolean },
): Promise<ReadonlyMap<number, SeenCover>> {
  const at = clock();
  const guaranteed = payments.filter((payment) => isCovered(payment, at));
  if (guaranteed.length === 0) return new Map();
  const unused = await store.listUnused(
    db,
    guaranteed.map(({ bidId }) => bidId),
  );
  const covered = await coveredPayments(
    db,
    guaranteed.map(({ id }) => id),
  );
  const sellerIds = [...new Set(guaranteed.map(({ receiverId }) => receiverId))];
  const payable = await reserveFor(db, { buyerId: actor.id, sellerIds, at });
  return new Map(
    guaranteed
      .filter(({ bidId }) => unused.has(bidId))
      .map((payment) => {
        const isBuyer = payment.senderId === actor.id;
        const isFinal = saleOf(payment.status) === 'final';
        const cover = {
          until: payment.coverUntil?.toISOString() ?? '',
          fromReserve: centsToDecimal(
            isBuyer && covered.has(payment.id)
              ? payable(payment.receiverId, isFinal ? reservePartOf(payment) : null)
              : 0,
          ),
        };
        return [payment.id, { cover, mayClaimLate: isBuyer && isFinal && !claimed.has(payment.bidId) }];
      }),
  );
}

const refuse = (text: string | null) => {
  if (text !== null) throw new AppError('payment_changed', text);
};

/**
 * Checks that the buyer of a final sale may make a claim under the guarantee, and reserves the coupon.
 * @throws AppError payment_changed (there is none, or it has ended; the coupon is used, passed on or in another deal; too
 *   many claims), bad_input on `shopAnswer` (no evidence), address_unconfirmed
 */
export async function checkLateClaim(
  trx: Trx,
  ctx: MemberContext,
  { payment, bid }: LockedPayment,
  { shopAnswer, pictures = [] }: Pick<OpenClaimInput, 'shopAnswer' | 'pictures'>,
): Promise<void> {
  const at = ctx.clock();
  refuse(coverObstacle(payment, at));
  checkConfirmed(ctx);
  refuse(returnOfSaleText(await holdForReturn(trx, bid, at)));
  if (!shopAnswer && pictures.length === 0) {
    throw fieldError('bad_input', 'shopAnswer', t`Tell us what the merchant said, or add a picture`);
  }
  // Of two claims at once, the second counts the first.
  await store.lockPerson(trx, payment.senderId);
  refuse(lateClaimsObstacle(await countLateClaims(trx, payment.senderId, addDays(at, -LATE_CLAIM_DAYS))));
}
