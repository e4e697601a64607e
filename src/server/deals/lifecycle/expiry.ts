import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import type { DealKey, LockedCoupon } from '#server/coupons/core/reservations.ts';
import { delistCoupon, lockCoupons, releaseReservation } from '#server/coupons/core/service.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import * as store from './expiry-store.ts';
import { type EndedDeal, endingAction, endingNews, endingTexts, type RuleReason } from './rules.ts';

/** Why deals end. */
interface Cause<Reason extends RuleReason = RuleReason> {
  readonly reason: Reason;
  readonly at: Date;
  /** Null when no person's act ended it. */
  readonly actorId: number | null;
}

/**
 * Cancels every pending deal on these coupons. The caller must hold the coupons' locks. Writes both histories and
 * notifies everybody but the actor.
 * @returns the number of cancelled deals
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
  await notifyOfEndings(trx, ended, given);
  return ended.length;
}

/**
 * Rejects every pending bid on a coupon after another bid was accepted (decisions 3.4), and notifies the bidders. The
 * caller must hold the coupon's lock.
 */
export async function rejectRivalBids(
  trx: Trx,
  { couponId, at, actorId }: { couponId: number; at: Date; actorId: number },
): Promise<void> {
  const ids = await store.lockPendingBids(trx, [couponId]);
  const reason = 'rival_accepted';
  const ended = await store.endBids(trx, { ids, from: 'pending', to: 'rejected', reason, at });
  await notifyOfEndings(trx, ended, { reason, at, actorId });
}

/** Cancels an accepted bid that was not paid in time and notifies both. Lock its coupon and the bid first. */
export async function cancelAcceptedBid(trx: Trx, bidId: number, at: Date): Promise<boolean> {
  const reason = 'deadline';
  const ended = await store.endBids(trx, { ids: [bidId], from: 'accepted', to: 'cancelled', reason, at });
  await releaseReservation(trx, { bidId });
  await notifyOfEndings(trx, ended, { reason, at, actorId: null });
  return ended.length > 0;
}

/**
 * Cancels an accepted exchange that was not paid in time, or one of whose coupons has expired, and notifies everybody. Lock
 * its coupons and the exchange first.
 */
export async function cancelAcceptedExchange(
  trx: Trx,
  {
    id,
    reason,
    causeIds = [],
    at,
  }: { id: number; reason: 'deadline' | 'coupon_expired'; causeIds?: readonly number[]; at: Date },
): Promise<boolean> {
  const ended = await store.cancelExchanges(trx, { ids: [id], from: 'accepted', reason, at, causeIds });
  if (ended.length > 0) await releaseReservation(trx, { exchangeId: id });
  await notifyOfEndings(trx, ended, { reason, at, actorId: null });
  return ended.length > 0;
}

/**
 * Cancels an accepted deal because a merchant's own account refuses the code of these coupons: takes them off the lists,
 * ends the pending deals on them and tells everybody. Lock the coupons and the deal first. Does nothing if the deal is not
 * accepted any more.
 */
export async function endRefusedDeal(
  trx: Trx,
  { deal, couponIds, at }: { deal: DealKey; couponIds: readonly number[]; at: Date },
): Promise<void> {
  const cause = { reason: 'code_refused', at, actorId: null } as const;
  const ended = await endAccepted(trx, { deal, couponIds, ...cause });
  if (ended.length === 0) return;
  for (const couponId of couponIds) await delistCoupon(trx, couponId, at);
  await cancelPendingDeals(trx, { couponIds, ...cause });
  await notifyOfEndings(trx, ended, cause);
}

/**
 * Cancels an accepted deal on a coupon that its giver no longer has, and tells everybody. Money that arrives for it is
 * refunded. Whoever acts on the deal locks that coupon first, so its lock is enough.
 */
export async function endOvertakenDeal(
  trx: Trx,
  { deal, couponId, at }: { deal: DealKey; couponId: number; at: Date },
): Promise<void> {
  const cause = { reason: 'rival_completed', at, actorId: null } as const;
  await notifyOfEndings(trx, await endAccepted(trx, { deal, couponIds: [couponId], ...cause }), cause);
}

/** Cancels an accepted deal and frees its coupons. @returns nothing if it is not accepted any more */
async function endAccepted(
  trx: Trx,
  given: { readonly deal: DealKey; readonly couponIds: readonly number[] } & Cause,
): Promise<EndedDeal[]> {
  const { deal, couponIds, reason, at } = given;
  const from = 'accepted';
  const ended =
    'bidId' in deal
      ? await store.endBids(trx, { ids: [deal.bidId], from, to: 'cancelled', reason, at })
      : await store.cancelExchanges(trx, { ids: [deal.exchangeId], from, reason, at, causeIds: couponIds });
  if (ended.length > 0) await releaseReservation(trx, deal);
  return ended;
}

export type OpenDeal = store.OpenDeal;

/** Up to `limit` of a person's pending or accepted deals, on either side, without those being paid. */
export async function listOpenDeals(db: Database | Trx, userId: number, limit: number): Promise<OpenDeal[]> {
  return store.listOpenDeals(db, userId, limit);
}

/**
 * Locks these deals and their coupons. Leaves out deals that are no longer open, are being paid, or now name other
 * coupons.
 */
export async function lockOpenDeals(trx: Trx, deals: readonly OpenDeal[]) {
  const couponIds = new Set(deals.flatMap((deal) => deal.couponIds));
  if (couponIds.size > 0) await lockCoupons(trx, [...couponIds]);
  const idsOf = (kind: OpenDeal['kind']) => deals.filter((deal) => deal.kind === kind).map(({ id }) => id);
  const exchanges = await store.lockOpenExchanges(trx, idsOf('exchange'));
  const bids = await store.lockOpenBids(trx, idsOf('bid'));
  const isSame = (exchange: (typeof exchanges)[number]) =>
    exchange.couponIds.every((couponId) => couponIds.has(couponId));
  return { exchanges: exchanges.filter(isSame), bids };
}

/**
 * Cancels these open deals because a party (`closedId`) was banned or has left, frees their coupons and notifies both. Skips bids
 * with a payment in process (they count as paid) and deals that have changed since they were found. Open payments are
 * given up by the reconciler; money that still arrives is refunded.
 * @returns the number of cancelled deals
 */
export async function cancelOpenDeals(
  trx: Trx,
  deals: readonly OpenDeal[],
  cause: Cause<'party_banned' | 'party_left'> & { readonly closedId: number },
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
      await releaseReservation(trx, kind === 'bid' ? { bidId: id } : { exchangeId: id });
  }
  await notifyOfEndings(trx, ended, cause);
  return ended.length;
}

async function notifyOfEndings(
  trx: Trx,
  ended: readonly EndedDeal[],
  { reason, at, actorId, closedId }: Cause & { readonly closedId?: number },
): Promise<void> {
  const action = endingAction(reason);
  await notifyParties(
    trx,
    ended.map((deal) => ({
      ...endingTexts(deal, reason, closedId),
      ...endingNews(deal, reason),
      action,
      actorId,
      at,
    })),
  );
}

/** Deals of each kind ended per run; the rest waits for the next. */
const DUE_AT_ONCE = 500;

/**
 * Ends the deals whose time is up (decisions 3.6): pending deals and accepted exchanges past their deadline, and
 * pending deals on an expired coupon. Each deal has its own transaction, so that a failure does not hold up the rest.
 * Accepted bids are left to payments, as money may be on its way.
 * @returns the number of ended deals
 */
export async function expireDeals(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const limit = DUE_AT_ONCE;
  const exchanges = await store.listDueExchanges(ctx.db, {
    now,
    pendingBefore: addDays(now, -DEADLINE_DAYS.exchangePending),
    acceptedBefore: addDays(now, -DEADLINE_DAYS.exchangeAccepted),
    limit,
  });
  const bids = await store.listDueBids(ctx.db, {
    now,
    pendingBefore: addDays(now, -DEADLINE_DAYS.bidPending),
    limit,
  });
  let count = 0;
  const end = async (about: object, expire: (trx: Trx) => Promise<boolean>) => {
    try {
      if (await inTransaction(ctx.db, expire)) count += 1;
    } catch (error) {
      ctx.log.error({ err: error, ...about }, 'a deal whose time is up could not be ended');
    }
  };
  for (const due of exchanges) await end({ exchangeId: due.id }, (trx) => expireExchange(trx, due, now));
  for (const due of bids) await end({ bidId: due.id }, (trx) => expireBid(trx, due, now));
  return count;
}

/** Returns false if a person has acted since it was found. */
async function expireExchange(trx: Trx, due: store.DueExchange, at: Date): Promise<boolean> {
  const coupons = await lockCoupons(trx, due.couponIds);
  const current = await store.lockExchange(trx, due.id, due.from);
  if (current?.version !== due.version) return false;
  const expired = expiredOf(coupons, at);
  if (due.reason === 'coupon_expired' && expired.length === 0) return false;
  const ended = await store.cancelExchanges(trx, {
    ids: [due.id],
    from: due.from,
    reason: due.reason,
    at,
    causeIds: due.reason === 'coupon_expired' ? expired.map(({ id }) => id) : [],
  });
  if (due.from === 'accepted') await releaseReservation(trx, { exchangeId: due.id });
  await notifyOfEndings(trx, ended, { reason: due.reason, at, actorId: null });
  return ended.length > 0;
}

/** Bids only move while their coupon is locked, so the bid needs no lock. */
async function expireBid(
  trx: Trx,
  { id, couponId, reason, round }: store.DueBid,
  at: Date,
): Promise<boolean> {
  const coupons = await lockCoupons(trx, [couponId]);
  if (reason === 'coupon_expired' && expiredOf(coupons, at).length === 0) return false;
  // A counter-offer has a deadline of its own.
  if (reason === 'deadline' && !(await store.isInRound(trx, id, round))) return false;
  const ended = await store.endBids(trx, { ids: [id], from: 'pending', to: 'cancelled', reason, at });
  await notifyOfEndings(trx, ended, { reason, at, actorId: null });
  return ended.length > 0;
}

function expiredOf(coupons: readonly LockedCoupon[], at: Date): LockedCoupon[] {
  return coupons.filter(({ expiresAt }) => expiresAt !== null && expiresAt < at);
}
