import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import type { DealKey } from '#server/coupons/core/reservations.ts';
import { ENDINGS, type RuleReason } from './rules.ts';

/** The states of a deal that has not ended. */
export type OpenStatus = Extract<DealStatus, 'pending' | 'accepted'>;

/** A deal, as it is while it is locked. */
export interface FoundDeal {
  readonly kind: DealType;
  readonly id: number;
  readonly status: DealStatus;
  /** Of the legs of an exchange; the round of a bid. */
  readonly version: number;
}

/** A deal that is to end, as it was when that was found; if it has moved on since, it stays. */
export interface DoomedDeal extends Pick<FoundDeal, 'kind' | 'id'> {
  readonly from: OpenStatus;
  readonly version?: number;
}

/** Why deals end, and which: those that are named, and the pending ones on these coupons that ENDINGS adds. */
export interface Ending {
  readonly reason: RuleReason;
  readonly deals: readonly DoomedDeal[];
  /** Also named in the notices, as the cause. */
  readonly couponIds: readonly number[];
  /** Null when no person's act ended them. */
  readonly actorId: number | null;
  /** Whose account was closed, where that is the reason. */
  readonly closedId?: number;
  readonly at: Date;
}

/** What is written, in this order. */
export type EndingChange =
  | {
      readonly kind: 'end';
      readonly deals: DealType;
      readonly ids: readonly number[];
      readonly from: OpenStatus;
      readonly to: 'rejected' | 'cancelled';
    }
  | { readonly kind: 'free'; readonly deal: DealKey }
  | { readonly kind: 'delist'; readonly couponId: number }
  | { readonly kind: 'tell'; readonly action: 'rejected' | 'cancelled' | 'expired' };

/**
 * Which of these deals end, and what else follows. Whatever ends an accepted deal frees its coupons. Nothing follows from
 * what was about deals that have all moved on.
 */
export function decideEndings(found: readonly FoundDeal[], ending: Ending): EndingChange[] {
  const { to, action, rivals, delists } = ENDINGS[ending.reason];
  const doomOf = ({ kind, id }: FoundDeal) =>
    ending.deals.find((doomed) => doomed.kind === kind && doomed.id === id);
  const isDue = ({ status, version }: FoundDeal, doomed: DoomedDeal) =>
    status === doomed.from && (doomed.version ?? version) === version;
  const named = found.filter((deal) => {
    const doomed = doomOf(deal);
    return doomed !== undefined && isDue(deal, doomed);
  });
  if (ending.deals.length > 0 && named.length === 0) return [];
  const others = found.filter(
    (deal) => !doomOf(deal) && deal.status === 'pending' && rivals.includes(deal.kind),
  );
  const ended = [...named, ...others];
  if (ended.length === 0) return [];
  const groups = (['pending', 'accepted'] as const).flatMap((from) =>
    (['exchange', 'bid'] as const).map((deals) => {
      const ids = ended.filter(({ kind, status }) => kind === deals && status === from).map(({ id }) => id);
      return { kind: 'end', deals, ids, from, to } as const;
    }),
  );
  return [
    ...groups.filter(({ ids }) => ids.length > 0),
    ...ended
      .filter(({ status }) => status === 'accepted')
      .map((deal) => ({ kind: 'free', deal: dealKey(deal) }) as const),
    ...(delists && named.length > 0 ? ending.couponIds : []).map(
      (couponId) => ({ kind: 'delist', couponId }) as const,
    ),
    { kind: 'tell', action },
  ];
}

/** A deal by the column that names it. */
function dealKey({ kind, id }: Pick<FoundDeal, 'kind' | 'id'>): DealKey {
  return kind === 'bid' ? { bidId: id } : { exchangeId: id };
}

/** An accepted deal that is to end. */
export function acceptedDeal(deal: DealKey): DoomedDeal {
  const named =
    'bidId' in deal
      ? { kind: 'bid' as const, id: deal.bidId }
      : { kind: 'exchange' as const, id: deal.exchangeId };
  return { ...named, from: 'accepted' };
}

/** A deal whose time was up, or one of whose coupons had expired, when it was found. */
export interface DueDeal {
  readonly kind: DealType;
  readonly id: number;
  readonly from: OpenStatus;
  readonly reason: 'deadline' | 'coupon_expired';
  readonly couponIds: readonly number[];
  readonly version: number;
}

/** How a deal ends that was found to be due; null if its coupons, which are locked now, have got another last day. */
export function decideExpiry(
  { reason, ...due }: DueDeal,
  coupons: readonly { readonly id: number; readonly expiresAt: Date | null }[],
  at: Date,
): Ending | null {
  const couponIds = reason === 'coupon_expired' ? expiredOf(coupons, at) : [];
  if (reason === 'coupon_expired' && couponIds.length === 0) return null;
  return { reason, deals: [due], couponIds, actorId: null, at };
}

/** The coupons whose last day is over. */
export function expiredOf(
  coupons: readonly { readonly id: number; readonly expiresAt: Date | null }[],
  at: Date,
): number[] {
  return coupons.filter(({ expiresAt }) => expiresAt !== null && expiresAt < at).map(({ id }) => id);
}
