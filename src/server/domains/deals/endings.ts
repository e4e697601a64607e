import { DEADLINE_DAYS } from '#contract/deals.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { notifyParties } from '../notifications/service.ts';
import * as store from './endings-store.ts';
import { type EndedDeal, endingAction, type RuleReason, tellOfEnding } from './rules.ts';
import { deleteReservations, type LockedCoupon, lockCoupons } from './store.ts';

/** Why deals end. */
interface Cause<Reason extends RuleReason = RuleReason> {
  readonly reason: Reason;
  readonly at: Date;
  /** Whose act ends them; null when a rule does. */
  readonly actorId: number | null;
}

/**
 * Cancels every pending deal on these coupons, exchanges and bids; the caller holds the coupons' locks. Both parties
 * of each deal find a line in their history, and whoever did not bring it about is notified why.
 * @returns how many were cancelled
 */
export async function cancelPendingDeals(
  trx: Trx,
  given: { readonly couponIds: readonly number[] } & Cause<Exclude<RuleReason, 'rival_accepted'>>,
): Promise<number> {
  const { couponIds: causeIds, reason, at } = given;
  const exchangeIds = await store.lockPendingExchanges(trx, causeIds);
  const bidIds = await store.lockPendingBids(trx, causeIds);
  const from = 'pending';
  const ended = [
    ...(await store.cancelExchanges(trx, { ids: exchangeIds, from, reason, at, causeIds })),
    ...(await store.endBids(trx, { ids: bidIds, from, to: 'cancelled', reason, at })),
  ];
  await tellParties(trx, ended, given);
  return ended.length;
}

/**
 * Rejects every pending bid on a coupon whose owner has accepted another one (decisions 3.4); the caller holds the
 * coupon's lock, and the accepted bid is not pending any more. Each bidder is told.
 */
export async function rejectRivalBids(
  trx: Trx,
  { couponId, at, actorId }: { couponId: number; at: Date; actorId: number },
): Promise<void> {
  const ids = await store.lockPendingBids(trx, [couponId]);
  const reason = 'rival_accepted';
  const ended = await store.endBids(trx, { ids, from: 'pending', to: 'rejected', reason, at });
  await tellParties(trx, ended, { reason, at, actorId });
}

/** Ends an accepted bid that was not paid in time, and tells both; the caller holds the locks of its coupon and of it. */
export async function cancelAcceptedBid(trx: Trx, bidId: number, at: Date): Promise<boolean> {
  const reason = 'deadline';
  const ended = await store.endBids(trx, { ids: [bidId], from: 'accepted', to: 'cancelled', reason, at });
  await deleteReservations(trx, { bidId });
  await tellParties(trx, ended, { reason, at, actorId: null });
  return ended.length > 0;
}

/** Deals by their ids, and the coupons that they were found with. */
export type OpenDeal = store.OpenDeal;

/** Up to `limit` of somebody's deals, on either side, that are open and not being paid. */
export async function listOpenDeals(db: Database | Trx, userId: number, limit: number): Promise<OpenDeal[]> {
  return store.listOpenDeals(db, userId, limit);
}

/**
 * Locks these deals and their coupons. Those that are no longer open, are being paid, or name other coupons than
 * they did are left out.
 */
export async function lockOpenDeals(trx: Trx, deals: readonly OpenDeal[]) {
  const couponIds = new Set(deals.flatMap((deal) => deal.couponIds));
  if (couponIds.size > 0) await lockCoupons(trx, [...couponIds]);
  const idsOf = (kind: OpenDeal['kind']) => deals.filter((deal) => deal.kind === kind).map(({ id }) => id);
  const exchanges = await store.lockOpenExchanges(trx, idsOf('exchange'));
  const bids = await store.lockOpenBids(trx, idsOf('bid'));
  const isSame = (exchange: (typeof exchanges)[number]) =>
    couponIds.has(exchange.requestedCouponId) && couponIds.has(exchange.offeredCouponId);
  return { exchanges: exchanges.filter(isSame), bids };
}

/**
 * Cancels these deals, pending or accepted, because one of their parties was banned or has left; the coupons of the
 * accepted ones are free again. A bid whose payment is on its way counts as paid and stays as it is, and so does a
 * deal that has been changed since it was found. What waits for the buyer is given up by the reconciler, and money
 * that comes all the same goes straight back. Both parties are told why.
 * @returns how many were cancelled
 */
export async function cancelOpenDeals(
  trx: Trx,
  deals: readonly OpenDeal[],
  cause: Cause<'party_banned' | 'party_left'>,
): Promise<number> {
  const { reason, at } = cause;
  if (deals.length === 0) return 0;
  const { exchanges, bids } = await lockOpenDeals(trx, deals);
  const ended: EndedDeal[] = [];
  for (const from of ['pending', 'accepted'] as const) {
    const idsIn = (open: readonly { id: number; status: string }[]) =>
      open.filter(({ status }) => status === from).map(({ id }) => id);
    ended.push(
      ...(await store.cancelExchanges(trx, { ids: idsIn(exchanges), from, reason, at, causeIds: [] })),
      ...(await store.endBids(trx, { ids: idsIn(bids), from, to: 'cancelled', reason, at })),
    );
  }
  for (const { kind, from, id } of ended) {
    if (from === 'accepted')
      await deleteReservations(trx, kind === 'bid' ? { bidId: id } : { exchangeId: id });
  }
  await tellParties(trx, ended, cause);
  return ended.length;
}

/** Tells the parties of each ended deal why it ended, the actor apart. */
async function tellParties(
  trx: Trx,
  ended: readonly EndedDeal[],
  { reason, at, actorId }: Cause,
): Promise<void> {
  const action = endingAction(reason);
  await notifyParties(
    trx,
    ended.map((deal) => ({ ...tellOfEnding(deal, reason), action, actorId, at })),
  );
}

/** How many deals of each kind one run ends; what is left waits for the next. */
const DUE_AT_ONCE = 500;

/**
 * Ends the deals whose time is up (decisions 3.6): pending deals and accepted exchanges past their deadline, and
 * pending ones on a coupon that has expired. Each goes in a transaction of its own, so that a person who acts in the
 * same moment wins or loses cleanly, and one that fails does not hold up the rest. Both parties are told why. The
 * accepted bids that nobody pays are the payments' to end: money may be on its way.
 * @returns how many were ended
 */
export async function lapseDeadlines(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const [today, limit] = [utcDay(now), DUE_AT_ONCE];
  const exchanges = await store.listDueExchanges(ctx.db, {
    pendingBefore: addDays(now, -DEADLINE_DAYS.exchangePending),
    acceptedBefore: addDays(now, -DEADLINE_DAYS.exchangeAccepted),
    today,
    limit,
  });
  const bids = await store.listDueBids(ctx.db, {
    pendingBefore: addDays(now, -DEADLINE_DAYS.bidPending),
    today,
    limit,
  });
  let count = 0;
  const end = async (about: object, lapse: (trx: Trx) => Promise<boolean>) => {
    try {
      if (await inTransaction(ctx.db, lapse)) count += 1;
    } catch (error) {
      ctx.log.error({ err: error, ...about }, 'a deal whose time is up could not be ended');
    }
  };
  for (const due of exchanges) await end({ exchangeId: due.id }, (trx) => lapseExchange(trx, due, now));
  for (const due of bids) await end({ bidId: due.id }, (trx) => lapseBid(trx, due, now));
  return count;
}

/** Whether it was ended; not when a person has acted since it was found. */
async function lapseExchange(trx: Trx, due: store.DueExchange, at: Date): Promise<boolean> {
  const coupons = await lockCoupons(trx, [due.requestedCouponId, due.offeredCouponId]);
  const current = await store.lockExchange(trx, due.id, due.from);
  if (current?.offeredCouponId !== due.offeredCouponId) return false;
  const expired = expiredOf(coupons, at);
  if (due.reason === 'coupon_expired' && expired.length === 0) return false;
  const ended = await store.cancelExchanges(trx, {
    ids: [due.id],
    from: due.from,
    reason: due.reason,
    at,
    causeIds: due.reason === 'coupon_expired' ? expired.map(({ id }) => id) : [],
  });
  if (due.from === 'accepted') await deleteReservations(trx, { exchangeId: due.id });
  await tellParties(trx, ended, { reason: due.reason, at, actorId: null });
  return ended.length > 0;
}

/** The same of a pending bid: whoever moves a bid holds its coupon's lock, so that the bid stays as it is found. */
async function lapseBid(trx: Trx, { id, couponId, reason }: store.DueBid, at: Date): Promise<boolean> {
  const coupons = await lockCoupons(trx, [couponId]);
  if (reason === 'coupon_expired' && expiredOf(coupons, at).length === 0) return false;
  const ended = await store.endBids(trx, { ids: [id], from: 'pending', to: 'cancelled', reason, at });
  await tellParties(trx, ended, { reason, at, actorId: null });
  return ended.length > 0;
}

function expiredOf(coupons: readonly LockedCoupon[], at: Date): LockedCoupon[] {
  return coupons.filter(({ expiryDate }) => expiryDate !== null && expiryDate < utcDay(at));
}
