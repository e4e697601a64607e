import { t } from '@lingui/core/macro';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import { baseCurrency, type Cents, decimalToCents, formatMoney } from '#contract/base/money.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { type BidReason, type BidSide, COUNTER_HOURS, DEADLINE_DAYS, turnOf } from '#contract/deals/deals.ts';
import { type FeeBreakdown, type FeeRate, feesOf, rateText } from '#contract/money/fees.ts';
import type { Protection } from '#contract/money/payments.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import type { ActWords } from '#web/deals/core/deal-dialogs.tsx';
import { dealSteps, stepAt, type TimelineStep } from '#web/deals/core/deal-steps.ts';
import { timeLeft } from '#web/deals/core/time-left.ts';
import { formatDate } from '#web/lib/format.ts';
import { type BidAct, isReversed, standingAmount } from './sides.ts';

/** Hours to pay for an accepted bid. */
const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

/** '$12.50 CAD': what is charged, whatever the viewer's own currency. */
export function charged(cents: Cents): string {
  return formatMoney(cents, baseCurrency());
}

/** A bid's amounts: those that its acceptance would commit to, or has. */
export function amountsOf(bid: Bid): FeeBreakdown {
  return feesOf(decimalToCents(standingAmount(bid)), bid.feeRates);
}

/** What the seller asks and the bidder has bid, while the bidder answers a counter-offer; null otherwise. */
export function counterText(bid: Bid, side: BidSide): string | null {
  if (bid.status !== 'pending' || bid.counterAmount === null) return null;
  const standing = charged(amountsOf(bid).amount);
  return side === 'bidder'
    ? t`${bid.ownerUsername} asks ${standing}. You bid ${charged(decimalToCents(bid.amount))}.`
    : t`You ask ${standing}. ${bid.bidderUsername} bids ${charged(decimalToCents(bid.amount))}.`;
}

/** 'Fee (5%)': one party's fee. */
export function feeLabel(rate: FeeRate): string {
  return t`Fee (${rateText(rate)})`;
}

/** The label of the bidder's total, by the bid's status. */
export function totalLabel(bid: Bid): string {
  if (bid.status === 'pending') return t`You would pay`;
  if (bid.status === 'accepted') return t`You pay`;
  return bid.status === 'completed' ? t`You paid` : t`You would have paid`;
}

/** What the seller gets: by the books once the bid is paid, else the bid less the fee. */
export function netOf(bid: Bid): Cents {
  const share = isReversed(bid) ? null : (bid.protection?.sellerShare ?? null);
  return share === null ? amountsOf(bid).netAmount : decimalToCents(share);
}

/** The label of the seller's net amount, by the bid's status. */
export function netLabel(bid: Bid): string {
  if (bid.status === 'pending') return t`You would receive`;
  if (bid.status === 'rejected' || bid.status === 'cancelled' || isReversed(bid)) {
    return t`You would have received`;
  }
  return bid.protection?.status === 'completed' ? t`You received` : t`You will receive`;
}

/** 'Pay within 46 hours.', 'Answer within 5 days.'; null without a deadline. */
export function deadlineText(bid: Bid, side: BidSide, now: Date): string | null {
  if (bid.deadlineAt === null) return null;
  const isAccepted = bid.status === 'accepted';
  const time = timeLeft(bid.deadlineAt, now);
  if (time === null) return isAccepted ? t`The time to pay is over.` : t`The time to answer is over.`;
  if (isAccepted) return side === 'bidder' ? t`Pay within ${time}.` : t`To be paid within ${time}.`;
  return side === turnOf(bid.round) ? t`Answer within ${time}.` : t`To be answered within ${time}.`;
}

const ENDINGS: Record<BidReason, (bid: Bid, side: BidSide) => string> = {
  by_bidder: (bid, side) =>
    side === 'bidder' ? t`You cancelled this bid.` : t`${bid.bidderUsername} cancelled this bid.`,
  by_owner: (bid, side) =>
    side === 'owner' ? t`You declined this bid.` : t`${bid.ownerUsername} declined this bid.`,
  exchange_ended: () => t`The exchange that it was part of has ended.`,
  rival_accepted: () => t`Another bid on this coupon was accepted.`,
  rival_completed: () => t`The coupon changed hands in another deal.`,
  coupon_deleted: () => t`The owner removed the coupon.`,
  coupon_changed: () => t`The coupon was changed.`,
  coupon_expired: () => t`The coupon expired.`,
  code_refused: () => t`The merchant says that the code does not work.`,
  party_banned: () => t`Moderators closed one of the two accounts.`,
  party_left: () => t`The other person closed their account.`,
  deadline: ({ acceptedAt, beginBy, round }) => {
    if (beginBy !== null) return t`Its payment did not begin within ${BEGIN_MINUTES} minutes.`;
    if (acceptedAt !== null) return t`It was not paid within ${PAY_HOURS} hours.`;
    return round > 1
      ? t`It was not answered within ${COUNTER_HOURS} hours.`
      : t`It was not answered within ${DEADLINE_DAYS.bidPending} days.`;
  },
};

/** Why a bid has ended; null while it has not. */
export function endedBecause(bid: Bid, side: BidSide): string | null {
  return bid.reason === null ? null : ENDINGS[bid.reason](bid, side);
}

/** What holds for every bid. */
export const BINDING = t`Bids are binding: once yours is accepted, you cannot cancel it, and you have ${PAY_HOURS} hours to pay. New members who meet an asking price have ${BEGIN_MINUTES} minutes to begin to pay.`;

/** What holds for every purchase at an asking price. */
export const BUYING_BINDS = t`Buying is binding: you cannot cancel it, and you have ${PAY_HOURS} hours to pay. New members have ${BEGIN_MINUTES} minutes to begin to pay.`;

/** The toast for a bid that was placed and not declined. */
export function placedText({ status, beginBy, ownerUsername }: Bid): readonly [title: string, text: string] {
  if (status !== 'accepted') return [t`Bid placed`, t`${ownerUsername} can now accept or decline it.`];
  const text =
    beginBy === null
      ? t`Pay ${ownerUsername}’s asking price within ${PAY_HOURS} hours.`
      : t`Begin to pay ${ownerUsername}’s asking price within ${BEGIN_MINUTES} minutes.`;
  return [t`Reserved for you`, text];
}

/** How the owner's asking price accepted a bid; null if the owner did it in person. */
function acceptedAtOnce(bid: Bid, side: BidSide): string | null {
  if (!bid.isAutomatic) return null;
  return side === 'owner'
    ? t`${bid.bidderUsername} pays your asking price.`
    : t`You pay ${bid.ownerUsername}’s asking price.`;
}

/** Puts sentences in a row. */
function inARow(...sentences: (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** The text for a bidder who cannot pay yet. */
export function notReadyText({ ownerUsername }: Pick<Bid, 'ownerUsername'>): string {
  return t`${ownerUsername} still has to set up a payment account. You can pay as soon as that is done.`;
}

/** What happens next, for this side; null if the payment panel says it. */
export function nextStep(bid: Bid, side: BidSide, now: Date): string | null {
  const deadline = deadlineText(bid, side, now);
  switch (bid.status) {
    case 'pending':
      return inARow(bid.round > 1 ? nextInRound(bid, side) : nextInFirstRound(bid, side), deadline);
    case 'accepted':
      return side === 'bidder'
        ? inARow(
            acceptedAtOnce(bid, side),
            t`The coupon is reserved for you until the time to pay is over.`,
            deadline,
          )
        : inARow(acceptedAtOnce(bid, side), t`The coupon is reserved for ${bid.bidderUsername}.`, deadline);
    case 'completed':
      return null;
    case 'rejected':
    case 'cancelled':
      return inARow(endedBecause(bid, side), t`Nothing was charged.`);
  }
}

function nextInFirstRound({ ownerUsername, bidderUsername }: Bid, side: BidSide): string {
  return side === 'bidder'
    ? t`${ownerUsername} decides next. Until then you can cancel.`
    : t`${bidderUsername} would like to buy your coupon. Accept or reject the bid.`;
}

/** What happens next after a counter-offer. */
function nextInRound(bid: Bid, side: BidSide): string {
  const { ownerUsername, bidderUsername } = bid;
  const amount = charged(amountsOf(bid).amount);
  if (turnOf(bid.round) === side) {
    return side === 'bidder'
      ? t`${ownerUsername} asks ${amount}: accept, decline or name another amount.`
      : t`${bidderUsername} bids ${amount}: accept, decline or name another amount.`;
  }
  return side === 'owner'
    ? t`You ask ${amount}; ${bidderUsername} answers next.`
    : t`You bid ${amount}; ${ownerUsername} answers next.`;
}

/** The label of the button for an act. */
export function actLabel(act: BidAct, bid: Bid, side: BidSide): string {
  return act === 'cancelled' && side === turnOf(bid.round) ? t`Decline` : ACT_LABELS[act];
}

const ACT_LABELS: Record<BidAct, string> = {
  accepted: t`Accept`,
  rejected: t`Reject`,
  cancelled: t`Cancel Bid`,
};

/** The texts of the dialog that confirms an act. */
export function actWords(act: BidAct, bid: Bid, side: BidSide): ActWords {
  const { amount, netAmount } = amountsOf(bid);
  if (side === 'bidder' && turnOf(bid.round) === 'bidder') return counterWords(act, bid);
  const coupon = t`“${bid.coupon.title}”`;
  switch (act) {
    case 'accepted':
      return {
        title: t`Accept this bid?`,
        confirm: t`Accept bid`,
        keep: t`Not now`,
        paragraphs: [
          t`${bid.bidderUsername} bids ${charged(amount)}. You will receive ${charged(netAmount)}: the bid less the fee (${rateText(bid.feeRates.seller)}).`,
          t`All other pending bids on this coupon will be rejected, and the coupon will be reserved for this bidder.`,
          t`${bid.bidderUsername} then has ${PAY_HOURS} hours to pay. We pay you after ${HOLD_HOURS} hours of buyer protection, or as soon as the buyer says that the code works.`,
        ],
      };
    case 'rejected':
      return {
        title: t`Reject this bid?`,
        confirm: t`Reject bid`,
        keep: t`Keep bid`,
        paragraphs: [
          t`${bid.bidderUsername} will be told that you declined ${charged(decimalToCents(bid.amount))} for ${coupon}.`,
        ],
      };
    case 'cancelled':
      return {
        title: t`Cancel your bid?`,
        confirm: t`Cancel Bid`,
        keep: t`Keep my bid`,
        paragraphs: [t`Your bid of ${charged(amount)} on ${coupon} will be withdrawn. You can bid again.`],
      };
  }
}

/** The same for a bidder who answers a counter-offer. */
function counterWords(act: BidAct, bid: Bid): ActWords {
  const { amount, buyerTotal } = amountsOf(bid);
  if (act === 'accepted') {
    return {
      title: t`Accept this counter-offer?`,
      confirm: t`Accept`,
      keep: t`Not now`,
      paragraphs: [
        t`${bid.ownerUsername} asks ${charged(amount)}. You will pay ${charged(buyerTotal)} with the fee, within ${PAY_HOURS} hours.`,
        t`The coupon is then reserved for you. Bids are binding: you cannot cancel after that.`,
      ],
    };
  }
  return {
    title: t`Decline this counter-offer?`,
    confirm: t`Decline`,
    keep: t`Not now`,
    paragraphs: [t`${bid.ownerUsername} asks ${charged(amount)}. This ends your bid. You can bid again.`],
  };
}

/** How far a bid has come: proposed, accepted, paid, final, or where it ended. */
export function bidSteps(bid: Bid): TimelineStep[] {
  if (bid.status === 'rejected' || bid.status === 'cancelled') return dealSteps('bid', bid);
  return [
    stepAt(t({ context: 'bid', message: 'Proposed' }), bid.createdAt),
    stepAt(t({ context: 'bid', message: 'Accepted' }), bid.acceptedAt),
    stepAt(t({ context: 'bid', message: 'Paid' }), bid.completedAt),
    lastStep(bid.protection),
  ];
}

function lastStep(protection: Protection | null): TimelineStep {
  switch (protection?.status) {
    case 'held':
      return { name: t`Final`, state: 'ahead', when: heldUntil(protection) };
    case 'releasing':
    case 'completed':
      return { name: t`Final`, state: 'done' };
    case 'refunding':
      return { name: t({ context: 'bid', message: 'Refunded' }), state: 'ahead', when: t`under way` };
    case 'refunded':
      return { name: t({ context: 'bid', message: 'Refunded' }), state: 'ended' };
    case 'charged_back':
      return { name: t`Charged back`, state: 'ended' };
    case undefined:
    case 'created':
    case 'open':
    case 'processing':
    case 'failed':
    case 'cancelled':
      return { name: t`Final`, state: 'ahead' };
  }
}

/** The day on which the protection ends; undefined while a claim or a dispute is open. */
function heldUntil({ holdUntil, isDisputed, claim }: Protection): string | undefined {
  if (holdUntil === null || isDisputed || claim?.status === 'open') return undefined;
  return t`by ${formatDate(holdUntil)}`;
}
