import { quote } from '#contract/words.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { lockPayableBid, type PayableBid } from '../bids/service.ts';
import type { Context } from '../context.ts';
import { askAgain, checkUnchanged } from '../coupons/rechecking.ts';
import { endRefusedDeal } from '../deals/endings.ts';
import { findPaymentOfBid } from './store.ts';

/**
 * Asks about the code of an accepted bid before its buyer is charged (decisions 3.17). A "no" cancels the bid, unless it is
 * being paid already, and takes the coupon off the lists. Money that comes all the same is refunded.
 * @throws AppError code_refused, code_unchecked (unless acknowledged), rate_limited
 */
export async function checkCodeOfSale(ctx: Context, bid: PayableBid, acknowledged: boolean): Promise<void> {
  const asked = await askAgain(ctx, [bid.couponId], acknowledged);
  if (!asked.some(({ answer }) => answer === 'refused')) return;
  await inTransaction(ctx.db, async (trx) => {
    const { status } = await lockPayableBid(trx, bid.id);
    const payment = await findPaymentOfBid(trx, bid.id);
    if (status !== 'accepted' || payment?.status === 'processing') return;
    await checkUnchanged(trx, ctx, asked);
    await endRefusedDeal(trx, { deal: { bidId: bid.id }, couponIds: [bid.couponId], at: ctx.clock() });
  });
  throw new AppError(
    'code_refused',
    `The merchant says that the code of ${bid.ownerUsername}’s ${quote(bid.couponTitle)} does not work. So you are not charged, and the bid was cancelled.`,
  );
}
