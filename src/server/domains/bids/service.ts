import type { Bid, ListBidsInput, SetBidStatusInput } from '#contract/bids.ts';
import { BID_TRANSITIONS, type DealStatus } from '#contract/deals.ts';
import type { Page } from '#contract/primitives.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import type { MemberContext } from '../context.ts';
import { cancelAcceptedBid, cancelPendingDeals } from '../deals/endings.ts';
import {
  checkStillTradable,
  countCompletedSale,
  delistCoupon,
  judgeMove,
  lockCoupons,
  moveBid,
  reasonOf,
  releaseReservation,
  stateText,
  transferCoupons,
} from '../deals/service.ts';
import { acceptBid, afterActs, findOwn, notifyOfBid } from './acts.ts';
import { BINDING_TEXT, forbiddenText } from './rules.ts';
import * as store from './store.ts';
import { toBid } from './view.ts';

export { feeRatesOf, type PayableBid } from './store.ts';

/**
 * The caller's bids, newest first; as the owner, by coupon and then by amount, highest first.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listBids(
  ctx: MemberContext,
  { role, onlyOpen, ...paging }: ListBidsInput,
): Promise<Page<Bid>> {
  const { rows, ...page } = await store.listBids(ctx.db, { userId: ctx.actor.id, role, onlyOpen }, paging);
  return { items: rows.map((row) => toBid(row, ctx.actor.id, ctx.config.feeRates)), ...page };
}

/** One bid that the caller placed or received. @throws AppError not_found, for strangers too */
export async function bidById(ctx: MemberContext, id: number): Promise<Bid> {
  const row = await store.findBid(ctx.db, id);
  if (!row) throw notFound('Bid');
  return toBid(row, ctx.actor.id, ctx.config.feeRates);
}

/**
 * Accepts, rejects or cancels a bid, as BID_TRANSITIONS allows. Accepting reserves the coupon and rejects all other
 * pending bids on it, and fixes the fees. A stale call fails with the bid's current state.
 * @throws AppError not_found (strangers too), forbidden (wrong side), deal_changed, coupon_unavailable, coupon_reserved
 */
export async function setBidStatus(ctx: MemberContext, { id, status: to }: SetBidStatusInput): Promise<Bid> {
  return inTransaction(ctx.db, async (trx) => {
    const { bid, side } = await findOwn(trx, id, ctx.actor.id);
    const [coupon] = await lockCoupons(trx, [bid.couponId]);
    const from = await store.lockBid(trx, id);
    const at = ctx.clock();
    const verdict = judgeMove(BID_TRANSITIONS, { from, to, side });
    if (verdict === 'forbidden') throw new AppError('forbidden', forbiddenText(to));
    if (verdict === 'stale') throw new AppError('deal_changed', staleText(from, to));
    if (to === 'accepted') {
      if (!coupon) throw notFound('Coupon');
      checkStillTradable(coupon, bid.ownerId, at);
      await acceptBid(trx, ctx, bid, at);
      return afterActs(trx, ctx, id, ['accept'], at);
    }
    await moveBid(trx, id, { from, to, reason: reasonOf(to, side), at });
    return afterActs(trx, ctx, id, [to === 'rejected' ? 'reject' : 'withdraw'], at);
  });
}

/** The part of a bid that payments need; null if there is no such bid. */
export async function findPayableBid(db: Database | Trx, id: number): Promise<store.PayableBid | null> {
  return store.findPayableBid(db, id);
}

/**
 * Like findPayableBid, but locks the bid until the transaction ends. Lock its coupon first.
 * @throws AppError not_found
 */
export async function lockPayableBid(trx: Trx, id: number): Promise<store.PayableBid> {
  const bid = await store.lockPayableBid(trx, id);
  if (!bid) throw notFound('Bid');
  return bid;
}

/** Ids of up to `limit` unpaid bids accepted before an instant, oldest first. */
export async function listUnpaidBids(db: Database, given: store.UnpaidBids): Promise<number[]> {
  return store.listUnpaid(db, given);
}

/**
 * Completes a paid bid: the coupon and its code go to the bidder, and all other deals on the coupon end. Writes both
 * histories; the payment sends the notifications. The coupon stays reserved until the payment is released or refunded.
 * The caller must hold the locks of the coupon and of the bid, which must be accepted.
 */
export async function completeSale(trx: Trx, bid: store.PayableBid, at: Date): Promise<void> {
  const { id, couponId, bidderId, ownerId } = bid;
  const move = { from: 'accepted', to: 'completed', reason: null, at } as const;
  await moveBid(trx, id, move);
  const moves = [{ couponId, fromUserId: ownerId, toUserId: bidderId }];
  await transferCoupons(trx, { deal: { bidId: id }, moves, at });
  await cancelPendingDeals(trx, { couponIds: [couponId], reason: 'rival_completed', at, actorId: null });
  await countCompletedSale(trx, [bidderId, ownerId], 1);
  await notifyOfBid(trx, bid, ['complete'], at);
}

/** Cancels a bid that was not paid in time, frees its coupon and notifies both. Same locks as completeSale. */
export async function cancelUnpaidBid(trx: Trx, bid: store.PayableBid, at: Date): Promise<void> {
  const isEnded = await cancelAcceptedBid(trx, bid.id, at);
  if (!isEnded) throw new AppError('deal_changed', stateText('bid', bid.status));
}

/** Whether the buyer still has the coupon of a sale, not committed to another deal. The caller holds its lock. */
export async function mayReturn(trx: Trx, bid: store.PayableBid): Promise<boolean> {
  const found = await store.findHolder(trx, bid.couponId);
  return found?.ownerId === bid.bidderId && (!found.isReserved || found.bidId === bid.id);
}

/**
 * Undoes a paid sale: the coupon returns to the seller, unlisted and free. The payment notifies both. The caller must
 * hold the locks of the coupon and of the bid, which stays completed.
 */
export async function returnSale(trx: Trx, bid: store.PayableBid, at: Date): Promise<void> {
  const { id, couponId, bidderId, ownerId } = bid;
  const deal = { bidId: id };
  const moves = [{ couponId, fromUserId: bidderId, toUserId: ownerId }];
  await transferCoupons(trx, { deal, moves, at, isReturn: true });
  await delistCoupon(trx, couponId, at);
  await releaseReservation(trx, deal);
  await countCompletedSale(trx, [bidderId, ownerId], -1);
}

function staleText(from: DealStatus, to: DealStatus): string {
  return from === 'accepted' && to === 'cancelled' ? BINDING_TEXT : stateText('bid', from);
}
