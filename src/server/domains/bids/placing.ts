import type { BuyInput, PlaceBidInput } from '#contract/bids.ts';
import { BASE_CURRENCY, centsToDecimal, decimalToCents, formatMoney } from '#contract/money.ts';
import { TEXTS } from '#contract/texts.ts';
import { quote } from '#contract/words.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { inTransaction, refuseDuplicate } from '#server/database/client.ts';
import { checkNotAway } from '../away/service.ts';
import { checkNotBlocked } from '../blocks/service.ts';
import type { MemberContext } from '../context.ts';
import { checkLadder } from '../deals/ladder.ts';
import { checkNotBanned, findOfferable, type LockedCoupon, lockCoupons } from '../deals/service.ts';
import { acceptBid, admitBid, afterActs, findOwn } from './acts.ts';
import * as store from './placing-store.ts';
import { isAcceptedAtOnce } from './rules.ts';
import type { PlainBid } from './view.ts';

/**
 * Bids on another person's coupon. The asking price that its owner has set accepts the bid at once, or it waits for the
 * owner. Whoever bids below the lowest price learns nothing of that: only the owner is not told of the bid.
 * @throws AppError not_found, forbidden (own coupon; banned caller), too_many_deals, coupon_unavailable, coupon_reserved, no_code
 *   (unless acknowledged), bid_exists (one pending bid per person and coupon), conflict (a person whom the caller
 *   has blocked or who is away), rate_limited
 */
export async function placeBid(ctx: MemberContext, input: PlaceBidInput): Promise<PlainBid> {
  return place(ctx, input, () => undefined);
}

/**
 * Bids the asking price as the buyer has seen it. Such a bid waits for the owner only where placeBid says so.
 * @throws AppError as placeBid; conflict, with the price of now, if it is another one or none
 */
export async function buyCoupon(
  ctx: MemberContext,
  { expectedAmount, ...input }: BuyInput,
): Promise<PlainBid> {
  return place(ctx, { ...input, amount: expectedAmount, message: null }, (coupon) =>
    checkAskingPrice(coupon, expectedAmount),
  );
}

async function place(
  ctx: MemberContext,
  { couponId, amount, message, acknowledgeNoCode }: PlaceBidInput,
  check: (coupon: LockedCoupon) => void,
): Promise<PlainBid> {
  await admitBid(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const coupons = await lockCoupons(trx, [couponId]);
    const at = ctx.clock();
    const coupon = findOfferable(coupons, {
      id: couponId,
      path: 'couponId',
      at,
      wrongOwner: (owner) => (owner === ctx.actor.id ? 'You cannot bid on your own coupon' : null),
    });
    await checkNotBlocked(trx, { actorId: ctx.actor.id, coupon, path: 'couponId' });
    await checkNotAway(trx, { userIds: [coupon.ownerId], path: 'couponId', at });
    await checkNotBanned(trx, ctx.actor.id);
    await checkLadder(trx, ctx.actor.id, at);
    check(coupon);
    if (!acknowledgeNoCode && !(await store.hasCode(trx, couponId))) {
      throw fieldError('no_code', 'acknowledgeNoCode', TEXTS.bids.noCode);
    }
    const id = await refuseDuplicate(
      store.insertBid(trx, {
        couponId,
        bidderId: ctx.actor.id,
        ownerId: coupon.ownerId,
        amount: centsToDecimal(decimalToCents(amount)),
        message,
        createdAt: at,
        updatedAt: at,
      }),
      'bids_one_pending',
      (cause) => new AppError('bid_exists', TEXTS.bids.alreadyPending, { cause }),
    );
    const { bid } = await findOwn(trx, id, ctx.actor.id);
    const past = await store.findPast(trx, { bidderId: ctx.actor.id, couponId });
    if (coupon.askingPrice !== null && isAcceptedAtOnce(bid, coupon.askingPrice, past)) {
      await acceptBid(trx, ctx, bid, at, true);
      return afterActs(trx, ctx, id, ['place', 'acceptAtOnce'], at);
    }
    return afterActs(trx, ctx, id, [bid.isBelowFloor ? 'placeBelowFloor' : 'place'], at);
  });
}

/** @throws AppError conflict on `expectedAmount` unless this is the asking price */
function checkAskingPrice({ title, askingPrice }: LockedCoupon, expected: string): void {
  const price = askingPrice === null ? null : decimalToCents(askingPrice);
  if (price === decimalToCents(expected)) return;
  const now =
    price === null
      ? `${quote(title)} has no asking price any more. You can bid on it.`
      : `The asking price of ${quote(title)} is ${formatMoney(price, BASE_CURRENCY)} now.`;
  throw fieldError('conflict', 'expectedAmount', now);
}
