import { PERSONAL_CATEGORIES } from '#contract/coupons.ts';
import type { DealStatus } from '#contract/deals.ts';

/** One deal of either kind. */
export type DealRef = { readonly exchangeId: number } | { readonly bidId: number };

/** Who may move a deal from where to where: a table of the contract. */
type Transitions<Side extends string> = Record<DealStatus, Partial<Record<DealStatus, readonly Side[]>>>;

/**
 * Judges a move by the contract's table. `forbidden`: not for this side, whether now or ever; `stale`: the deal is
 * not in a state from which it goes there by anybody's hand.
 */
export function judgeMove<Side extends string>(
  transitions: Transitions<Side>,
  { from, to, side }: { from: DealStatus; to: DealStatus; side: Side },
): 'allowed' | 'forbidden' | 'stale' {
  const sidesNow = transitions[from][to] ?? [];
  if (sidesNow.length > 0) return sidesNow.includes(side) ? 'allowed' : 'forbidden';
  const everAllowed = Object.values(transitions).some((moves) => moves[to]?.includes(side));
  return everAllowed ? 'stale' : 'forbidden';
}

/** What a stale click is told: the state that the deal is truly in. */
export function stateText(kind: 'exchange' | 'bid', status: DealStatus): string {
  return status === 'pending' ? `This ${kind} is still pending.` : `This ${kind} is already ${status}.`;
}

interface TradableCoupon {
  readonly title: string;
  readonly isActive: boolean;
  readonly deletedAt: Date | null;
  readonly category: string;
  readonly expiryDate: string | null;
}

/**
 * Why a coupon cannot change hands on a day (`YYYY-MM-DD`, UTC); null when it can. It is valid to the end of its
 * last day (decisions 2.3); public codes are for personal use (decisions 2.6).
 */
export function tradeObstacle(coupon: TradableCoupon, today: string): string | null {
  if (PERSONAL_CATEGORIES.some((category) => category === coupon.category)) {
    return 'Public codes are for personal use and can be neither swapped nor sold';
  }
  if (coupon.expiryDate !== null && coupon.expiryDate < today) return `“${coupon.title}” has expired`;
  if (coupon.deletedAt !== null || !coupon.isActive) return `“${coupon.title}” is no longer available`;
  return null;
}
