import type { DealKey } from '#server/coupons/core/reservations.ts';
import { delistCoupon, lockCoupons, releaseReservation } from '#server/coupons/core/service.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import {
  acceptedDeal,
  decideEndings,
  type Ending,
  type EndingChange,
  expiredOf,
  type FoundDeal,
} from './decide.ts';
import * as store from './expiry-store.ts';
import { ENDINGS, type EndedDeal, endingNews, endingTexts, type RuleReason } from './rules.ts';

/**
 * Ends deals for a reason, as ENDINGS says. Writes the histories of their parties and notifies everybody but the actor. Lock
 * the coupons of these deals first.
 * @returns the number of ended deals
 */
export async function endDeals(trx: Trx, ending: Ending): Promise<number> {
  const { rivals } = ENDINGS[ending.reason];
  const found: FoundDeal[] = [];
  for (const kind of ['exchange', 'bid'] as const) {
    const ids = ending.deals.filter((deal) => deal.kind === kind).map(({ id }) => id);
    const couponIds = rivals.includes(kind) ? ending.couponIds : [];
    if (ids.length + couponIds.length > 0)
      found.push(...(await store.lockDeals(trx, kind, { ids, couponIds })));
  }
  return applyChanges(trx, ending, decideEndings(found, ending));
}

async function applyChanges(trx: Trx, ending: Ending, changes: readonly EndingChange[]): Promise<number> {
  const { reason, couponIds: causeIds, closedId, actorId, at } = ending;
  const ended: EndedDeal[] = [];
  for (const change of changes) {
    switch (change.kind) {
      case 'end': {
        const end = change.deals === 'bid' ? store.endBids : store.endExchanges;
        ended.push(...(await end(trx, { ...change, reason, causeIds, at })));
        break;
      }
      case 'free':
        await releaseReservation(trx, change.deal);
        break;
      case 'delist':
        await delistCoupon(trx, change.couponId, at);
        break;
      case 'tell':
        await notifyParties(
          trx,
          ended.map((deal) => ({
            ...endingTexts(deal, reason, closedId),
            ...endingNews(deal, reason),
            ...{ action: change.action, actorId, at },
          })),
        );
    }
  }
  return ended.length;
}

/** Ends what is pending on these coupons: `endDeals` without a deal that is named. */
export async function cancelPendingDeals(
  trx: Trx,
  cause: {
    readonly couponIds: readonly number[];
    readonly reason: RuleReason;
    readonly at: Date;
    readonly actorId: number | null;
  },
): Promise<number> {
  return endDeals(trx, { deals: [], ...cause });
}

/**
 * Cancels an accepted exchange that was not paid in time, or one of whose coupons has expired before, and notifies everybody.
 * Lock its coupons and the exchange first.
 */
export async function cancelAcceptedExchange(
  trx: Trx,
  given: { id: number; couponIds: readonly number[]; reason: 'deadline' | 'coupon_expired'; at: Date },
): Promise<boolean> {
  const { id, reason, at } = given;
  const deals = [acceptedDeal({ exchangeId: id })];
  const isExpiry = reason === 'coupon_expired';
  const couponIds = isExpiry ? expiredOf(await lockCoupons(trx, given.couponIds), at) : [];
  return (await endDeals(trx, { deals, couponIds, actorId: null, reason, at })) > 0;
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
  const deals = [acceptedDeal(deal)];
  await endDeals(trx, { reason: 'code_refused', deals, couponIds, actorId: null, at });
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
  cause: Pick<Ending, 'actorId' | 'at'> & {
    readonly reason: 'party_banned' | 'party_left';
    readonly closedId: number;
  },
): Promise<number> {
  if (deals.length === 0) return 0;
  const { exchanges, bids } = await lockOpenDeals(trx, deals);
  const doomed = [...exchanges, ...bids].map(({ kind, id, status: from }) => ({ kind, id, from }));
  return endDeals(trx, { ...cause, deals: doomed, couponIds: [] });
}
