import { t } from '@lingui/core/macro';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';

/** The part of a deal that ratings need. Nobody gives to themselves. */
export interface RatableDeal {
  readonly type: DealType;
  readonly id: number;
  readonly status: DealStatus;
  /** A refunded sale, which no longer counts as completed. */
  readonly isUndone: boolean;
  readonly people: readonly Party[];
  /** Givers and receivers, in the order of the deal. */
  readonly gives: readonly { readonly giverId: number; readonly receiverId: number }[];
}

export interface Party {
  readonly id: number;
  readonly username: string;
  readonly hasLeft: boolean;
}

/**
 * The viewer and one of those whom they gave to or got from: in a ring, whoever gave to them unless `otherId` names
 * another. Null for strangers, and for people who had nothing to do with each other.
 */
export function pairOf(
  { people, gives }: RatableDeal,
  userId: number,
  otherId?: number,
): { own: Party; other: Party } | null {
  const partnerIds = [
    ...gives.filter(({ receiverId }) => receiverId === userId).map(({ giverId }) => giverId),
    ...gives.filter(({ giverId }) => giverId === userId).map(({ receiverId }) => receiverId),
  ];
  const partnerId = otherId === undefined ? partnerIds[0] : partnerIds.find((id) => id === otherId);
  const own = people.find(({ id }) => id === userId);
  const other = people.find(({ id }) => id === partnerId);
  return own && other ? { own, other } : null;
}

/** Whether the parties may rate the deal: it is completed and not refunded. */
export function isRatable({ status, isUndone }: RatableDeal): boolean {
  return status === 'completed' && !isUndone;
}

export const undoneText = () => t`This sale was undone and the money went back. You can no longer rate it.`;
