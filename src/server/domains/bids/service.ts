import type { Bid, ListBidsInput, PlaceBidInput, SetBidStatusInput } from '#contract/bids.ts';
import { BID_TRANSITIONS, type BidReason, type BidSide, type DealStatus } from '#contract/deals.ts';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import type { Page } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { type Database, inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import type { MemberContext } from '../context.ts';
import { checkNotBanned } from '../deals/bans.ts';
import { cancelAcceptedBid, cancelPendingDeals, rejectRivalBids } from '../deals/endings.ts';
import { judgeMove, stateText } from '../deals/moves.ts';
import {
  checkStillTradable,
  countCompletedSale,
  delistCoupon,
  lockCoupons,
  offerable,
  releaseReservation,
  reserveCoupons,
  transferCoupons,
} from '../deals/service.ts';
import { notifyAll, recordLogs } from '../notifications/service.ts';
import { BINDING_TEXT, type BidAct, forbiddenText, sideOf, storyOf } from './rules.ts';
import * as store from './store.ts';
import { toBid } from './view.ts';

export type { PayableBid } from './store.ts';

/** Every bid writes to its coupon's owner: nobody needs more, but somebody could plague others with them. */
const BIDS_PER_PERSON: RateLimit = { name: 'bids', points: 60, seconds: 3_600 };

/**
 * The caller's bids, newest first; those that they have received coupon by coupon, the highest first.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listBids(
  ctx: MemberContext,
  { role, onlyOpen, ...paging }: ListBidsInput,
): Promise<Page<Bid>> {
  const { rows, ...counts } = await store.listBids(ctx.db, { userId: ctx.actor.id, role, onlyOpen }, paging);
  return { items: rows.map((row) => toBid(row, ctx.actor.id)), ...counts, nextCursor: null };
}

/** One bid that the caller has placed or received. @throws AppError not_found, to strangers too */
export async function bidById(ctx: MemberContext, id: number): Promise<Bid> {
  const row = await store.findBid(ctx.db, id);
  if (!row) throw notFound('Bid');
  return toBid(row, ctx.actor.id);
}

/**
 * Bids money on somebody else's coupon, whose owner is notified.
 * @throws AppError not_found, forbidden (one's own coupon; banned just now), coupon_unavailable, coupon_reserved,
 *   bid_exists (one pending bid per person and coupon), rate_limited
 */
export async function placeBid(
  ctx: MemberContext,
  { couponId, amount, message }: PlaceBidInput,
): Promise<Bid> {
  await enforceLimit(ctx.limiter, BIDS_PER_PERSON, String(ctx.actor.id));
  return inTransaction(ctx.db, async (trx) => {
    const coupons = await lockCoupons(trx, [couponId]);
    const at = ctx.clock();
    const { ownerId } = offerable(coupons, {
      id: couponId,
      path: 'couponId',
      at,
      wrongOwner: (owner) => (owner === ctx.actor.id ? 'You cannot bid on your own coupon' : null),
    });
    await checkNotBanned(trx, ctx.actor.id);
    const id = await insertOrRefuse(trx, {
      couponId,
      bidderId: ctx.actor.id,
      ownerId,
      amount: centsToDecimal(decimalToCents(amount)),
      message,
      createdAt: at,
      updatedAt: at,
    });
    return afterAct(trx, id, 'place', ctx.actor.id, at);
  });
}

/**
 * Accepts, rejects or cancels a bid, as the contract's table of moves allows. Accepting reserves the coupon and
 * rejects all other pending bids on it. Whoever comes too late is told the state that the bid is truly in.
 * @throws AppError not_found (strangers too), forbidden (the wrong side), deal_changed, coupon_unavailable,
 *   coupon_reserved
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
      await reserveCoupons(trx, { deal: { bidId: id }, couponIds: [coupon.id], at });
    }
    await store.moveBid(trx, { id, from, to, reason: reasonOf(to, side), at });
    if (to === 'accepted') await rejectRivalBids(trx, { couponId: bid.couponId, at, actorId: ctx.actor.id });
    return afterAct(trx, id, to === 'accepted' ? 'accept' : endOf(to), ctx.actor.id, at);
  });
}

/** A bid as payments see it; null where there is none. */
export async function findPayableBid(db: Database | Trx, id: number): Promise<store.PayableBid | null> {
  return store.findPayableBid(db, id);
}

/** The same, locked until the transaction ends; the caller holds its coupon's lock. @throws AppError not_found */
export async function lockPayableBid(trx: Trx, id: number): Promise<store.PayableBid> {
  const bid = await store.lockPayableBid(trx, id);
  if (!bid) throw notFound('Bid');
  return bid;
}

/**
 * The bids that were accepted by an instant and not paid since, the oldest first.
 * @returns up to `limit` ids
 */
export async function listUnpaidBids(
  db: Database,
  given: { acceptedBefore: Date; limit: number },
): Promise<number[]> {
  return store.listUnpaid(db, given);
}

/**
 * The bid is paid: its coupon goes to the bidder with the code, and all other deals on it end. Both find it in their
 * history; the payment's own story notifies them. The coupon stays reserved, under buyer protection, until the
 * payment is released or refunded. The caller holds the locks of the coupon and of the bid, which is accepted.
 */
export async function completeSale(trx: Trx, bid: store.PayableBid, at: Date): Promise<void> {
  const { id, couponId, bidderId, ownerId } = bid;
  await store.moveBid(trx, { id, from: 'accepted', to: 'completed', reason: null, at });
  const moves = [{ couponId, fromUserId: ownerId, toUserId: bidderId }];
  await transferCoupons(trx, { deal: { bidId: id }, moves, at });
  await cancelPendingDeals(trx, { couponIds: [couponId], reason: 'rival_completed', at, actorId: null });
  await countCompletedSale(trx, [bidderId, ownerId], 1);
  await record(trx, bid, { act: 'complete', actorId: null, at });
}

/** The bidder has not paid in time: the bid ends, the coupon is free, and both are told. Locks as above. */
export async function cancelUnpaidBid(trx: Trx, bid: store.PayableBid, at: Date): Promise<void> {
  const isEnded = await cancelAcceptedBid(trx, bid.id, at);
  if (!isEnded) throw new AppError('deal_changed', stateText('bid', bid.status));
}

/**
 * A paid sale is undone: the coupon goes back to the seller, off the lists, and is free. The payment's own story
 * tells both. The caller holds the locks of the coupon and of the bid, which stays completed.
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

async function insertOrRefuse(trx: Trx, values: Parameters<typeof store.insertBid>[1]): Promise<number> {
  try {
    return await store.insertBid(trx, values);
  } catch (error) {
    if (!isUniqueViolation(error, 'bids_one_pending')) throw error;
    throw new AppError('bid_exists', TEXTS.bids.alreadyPending, { cause: error });
  }
}

/** A bid and the caller's side of it. @throws AppError not_found, to strangers too */
async function findOwn(trx: Trx, id: number, actorId: number): Promise<{ bid: store.BidRow; side: BidSide }> {
  const bid = await store.findBid(trx, id);
  const side = bid && sideOf(bid, actorId);
  if (!bid || !side) throw notFound('Bid');
  return { bid, side };
}

function staleText(from: DealStatus, to: DealStatus): string {
  return from === 'accepted' && to === 'cancelled' ? BINDING_TEXT : stateText('bid', from);
}

function reasonOf(to: DealStatus, side: BidSide): BidReason | null {
  if (to !== 'rejected' && to !== 'cancelled') return null;
  return side === 'bidder' ? 'by_bidder' : 'by_owner';
}

function endOf(to: 'rejected' | 'cancelled'): BidAct {
  return to === 'rejected' ? 'reject' : 'withdraw';
}

/** Tells of an act of one of the parties, and shows the actor what came of it. */
async function afterAct(trx: Trx, id: number, act: BidAct, actorId: number, at: Date): Promise<Bid> {
  const { bid } = await findOwn(trx, id, actorId);
  await tell(trx, { ...bid, amount: decimalToCents(bid.amount) }, { act, actorId, at });
  return toBid(bid, actorId);
}

type Told = Pick<store.PayableBid, 'id' | 'bidderId' | 'ownerId'> & Parameters<typeof storyOf>[1];

interface Telling {
  readonly act: BidAct;
  readonly actorId: number | null;
  readonly at: Date;
}

/** Writes the history of both parties. @returns what stands there */
async function record(trx: Trx, bid: Told, { act, actorId, at }: Telling) {
  const { action, bidder, owner } = storyOf(act, bid);
  const told = [
    { userId: bid.bidderId, text: bidder },
    { userId: bid.ownerId, text: owner },
  ];
  await recordLogs(
    trx,
    told.map(({ userId, text }) => ({ userId, actorId, action, details: text, bidId: bid.id, at })),
  );
  return told;
}

/** Writes the history of both parties and notifies them, the actor apart. */
async function tell(trx: Trx, bid: Told, telling: Telling): Promise<void> {
  const { actorId, at } = telling;
  const { mailSubject } = storyOf(telling.act, bid);
  const told = await record(trx, bid, telling);
  await notifyAll(
    trx,
    told
      .filter(({ userId }) => userId !== actorId)
      .map(({ userId, text }) => ({
        userId,
        type: 'other' as const,
        content: text,
        relatedId: bid.id,
        link: paths.bid(bid.id),
        at,
        mailSubject,
      })),
  );
}
