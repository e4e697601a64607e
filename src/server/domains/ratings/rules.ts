import type { DealStatus, DealType } from '#contract/deals.ts';
import { RATING_HIDDEN_DAYS } from '#contract/ratings.ts';

/** The part of a deal that ratings need. Nobody is on both of its sides. */
export interface RatableDeal {
  readonly type: DealType;
  readonly id: number;
  readonly status: DealStatus;
  /** A refunded sale, which no longer counts as completed. */
  readonly isUndone: boolean;
  readonly people: readonly [Party, Party];
}

export interface Party {
  readonly id: number;
  readonly username: string;
  readonly hasLeft: boolean;
}

/** The viewer's side and the other; null for strangers. */
export function sidesOf(deal: RatableDeal, userId: number): { own: Party; other: Party } | null {
  const [first, second] = deal.people;
  if (userId === first.id) return { own: first, other: second };
  return userId === second.id ? { own: second, other: first } : null;
}

/** Whether the parties may rate the deal: it is completed and not refunded. */
export function isRatable({ status, isUndone }: RatableDeal): boolean {
  return status === 'completed' && !isUndone;
}

export const UNDONE_TEXT = 'This sale was undone: the money went back. It cannot be rated any more.';

/** The sentences about a new rating; none reveals it. */
export function storyOf(
  type: DealType,
  rater: string,
  rated: string,
  isVisible: boolean,
): { rater: string; rated: string; notice: string } {
  const deal = type === 'exchange' ? 'exchange' : 'sale';
  const seen = isVisible
    ? 'Both of you can see the ratings now.'
    : `You will see it once you have rated them too, or in ${RATING_HIDDEN_DAYS} days.`;
  return {
    rater: `You rated your ${deal} with ${rated}.`,
    rated: `${rater} rated your ${deal} with them.`,
    notice: `${rater} has rated your ${deal} with them. ${seen}`,
  };
}
