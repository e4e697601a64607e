import type { DealStatus, DealType } from '#contract/deals.ts';
import { takesMessages } from '#contract/messages.ts';
import { TEXTS } from '#contract/texts.ts';

/** A deal as its thread knows it. */
export interface ThreadDeal {
  readonly status: DealStatus;
  /** Who asked or bid. */
  readonly initiatorId: number;
  /** Who was asked. */
  readonly ownerId: number;
}

/** The one of the two whom `userId` talks to; null for strangers. */
export function otherPartyOf({ initiatorId, ownerId }: ThreadDeal, userId: number): number | null {
  if (userId === initiatorId) return ownerId;
  return userId === ownerId ? initiatorId : null;
}

/** Why a thread takes no more messages (decisions 3.10); null while it does. */
export function closedText(dealType: DealType, status: DealStatus): string | null {
  return takesMessages(status) ? null : TEXTS.messages.closed(dealType, status);
}
