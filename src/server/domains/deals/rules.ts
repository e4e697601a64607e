import { DEADLINE_DAYS, type DealReason } from '#contract/deals.ts';

/** The endings that a rule brings about; the parties' own are told of by the exchange itself. */
export type RuleReason = Exclude<DealReason, 'by_requester' | 'by_owner'>;

/** What the telling of an ended deal needs to know. */
export interface EndedDeal {
  readonly id: number;
  /** How far it had come. */
  readonly from: 'pending' | 'accepted';
  readonly requesterId: number;
  readonly ownerId: number;
  readonly requesterUsername: string;
  readonly ownerUsername: string;
  readonly requestedTitle: string;
  readonly offeredTitle: string;
  /** The title of the coupon that brought the end; null when none did. */
  readonly causeTitle: string | null;
}

/** The page of an exchange. */
export function exchangeLink(exchangeId: number): string {
  return `/exchanges?exchange=${exchangeId}`;
}

/** The history action that an ending is written under. */
export function endingAction(reason: RuleReason): 'cancelled' | 'expired' {
  return reason === 'deadline' || reason === 'coupon_expired' ? 'expired' : 'cancelled';
}

function why(reason: RuleReason, deal: EndedDeal): string {
  const coupon = deal.causeTitle === null ? 'one of its coupons' : `“${deal.causeTitle}”`;
  switch (reason) {
    case 'rival_completed':
      return `${coupon} was swapped in another exchange`;
    case 'coupon_deleted':
      return `${coupon} was taken away by its owner`;
    case 'coupon_changed':
      return `${coupon} was changed by its owner`;
    case 'coupon_expired':
      return `${coupon} has expired`;
    case 'deadline':
      return deal.from === 'pending'
        ? `it was not answered within ${DEADLINE_DAYS.exchangePending} days`
        : `it was not completed within ${DEADLINE_DAYS.exchangeAccepted} days`;
  }
}

/** One sentence for each party: which exchange ended, and why. */
export function tellOfEnding(
  deal: EndedDeal,
  reason: RuleReason,
): { readonly requester: string; readonly owner: string } {
  const because = why(reason, deal);
  const { requestedTitle, offeredTitle, requesterUsername, ownerUsername } = deal;
  return {
    requester: `Your exchange with ${ownerUsername} (your “${offeredTitle}” for “${requestedTitle}”) was cancelled: ${because}.`,
    owner: `Your exchange with ${requesterUsername} (your “${requestedTitle}” for “${offeredTitle}”) was cancelled: ${because}.`,
  };
}
