import { t } from '@lingui/core/macro';
import type { Bid } from '#contract/deals/bids.ts';
import type { Deal } from '#contract/deals/deal-list.ts';
import { type BidSide, turnOf } from '#contract/deals/deals.ts';
import { timeLeft } from '#web/deals/core/time-left.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { openClaimText } from './protection-wording.ts';
import { isReversed } from './sides.ts';
import { amountsOf, charged, deadlineText, endedBecause, notReadyText } from './wording.ts';

type BidDeal = Extract<Deal, { dealType: 'bid' }>;

/** Where a bid stands, in one sentence for this side. */
export function dealSentence({ bid, hasOpenClaim }: BidDeal, side: BidSide): string {
  const { bidderUsername, ownerUsername } = bid;
  const isBidder = side === 'bidder';
  const amount = charged(amountsOf(bid).amount);
  if (hasOpenClaim) return claimSentence(bid, side);
  switch (bid.status) {
    case 'pending':
      if (turnOf(bid.round) === 'owner') {
        return isBidder ? t`You bid ${ownerUsername} ${amount}.` : t`${bidderUsername} bids ${amount}.`;
      }
      return isBidder ? t`${ownerUsername} asks ${amount}.` : t`You ask ${bidderUsername} for ${amount}.`;
    case 'accepted':
      return isBidder
        ? t`You buy this from ${ownerUsername} for ${amount}.`
        : t`You sell this to ${bidderUsername} for ${amount}.`;
    case 'completed':
      if (isReversed(bid)) {
        return isBidder
          ? t`Your purchase from ${ownerUsername} was undone.`
          : t`Your sale to ${bidderUsername} was undone.`;
      }
      return isBidder
        ? t`You bought this from ${ownerUsername} for ${amount}.`
        : t`You sold this to ${bidderUsername} for ${amount}.`;
    case 'rejected':
    case 'cancelled':
      if (bid.isAutomatic) {
        return isBidder
          ? t`Your purchase from ${ownerUsername} for ${amount} has ended.`
          : t`The sale to ${bidderUsername} for ${amount} has ended.`;
      }
      return isBidder
        ? t`Your bid of ${amount} to ${ownerUsername} has ended.`
        : t`${bidderUsername}’s bid of ${amount} has ended.`;
  }
}

function claimSentence({ bidderUsername, ownerUsername }: Bid, side: BidSide): string {
  return side === 'bidder'
    ? t`You claim that the code from ${ownerUsername} does not work.`
    : t`${bidderUsername} claims that your code does not work.`;
}

/** The deadline, what is waited for, or why it ended; null if there is nothing to say. */
export function dealNote(deal: BidDeal, side: BidSide, payment: string | null, now: Date): string | null {
  const { bid, hasOpenClaim, deadlineAt, nextAct } = deal;
  if (hasOpenClaim) {
    const time = deadlineAt && timeLeft(deadlineAt, now);
    if (nextAct === 'answer_claim') return time ? t`Answer within ${time}.` : t`Answer before it is decided.`;
    return openClaimText(bid.protection?.claim, side === 'bidder');
  }
  if (nextAct === 'try_code' && deadlineAt !== null)
    return t`Try the code until ${formatDateTime(deadlineAt)}.`;
  if (payment !== null) return payment;
  if (bid.status === 'accepted' && !bid.isSellerReady) {
    return side === 'bidder' ? notReadyText(bid) : t`Then ${bid.bidderUsername} can pay you.`;
  }
  return deadlineText(bid, side, now) ?? endedBecause(bid, side);
}
