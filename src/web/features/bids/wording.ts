import type { Bid } from '#contract/bids.ts';
import { type BidReason, type BidSide, COUNTER_HOURS, DEADLINE_DAYS, turnOf } from '#contract/deals.ts';
import { type FeeBreakdown, type FeeRate, feesOf, rateText } from '#contract/fees.ts';
import { BASE_CURRENCY, type Cents, decimalToCents, formatMoney } from '#contract/money.ts';
import type { Protection } from '#contract/payments.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import type { ActWords } from '#web/components/deal-dialogs.tsx';
import { dealSteps, stepAt, type TimelineStep } from '#web/components/deal-dialogs.tsx';
import { formatDate } from '#web/lib/format.ts';
import { timeLeft } from '#web/lib/time-left.ts';
import { type BidAct, isReversed, standingAmount } from './sides.ts';

/** Hours to pay for an accepted bid. */
const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

/** '$12.50 CAD': what is charged, whatever the viewer's own currency. */
export function charged(cents: Cents): string {
  return formatMoney(cents, BASE_CURRENCY);
}

/** A bid's amounts. */
export function amountsOf(bid: Pick<Bid, 'amount' | 'feeRates'>): FeeBreakdown {
  return feesOf(decimalToCents(bid.amount), bid.feeRates);
}

/** 'Fee (5%)': one party's fee. */
export function feeLabel(rate: FeeRate): string {
  return `Fee (${rateText(rate)})`;
}

/** The label of the bidder's total, by the bid's status. */
export function totalLabel(bid: Bid): string {
  if (bid.status === 'pending') return 'You would pay';
  if (bid.status === 'accepted') return 'You pay';
  return bid.status === 'completed' ? 'You paid' : 'You would have paid';
}

/** What the seller gets: by the books once the bid is paid, else the bid less the fee. */
export function netOf(bid: Bid): Cents {
  const share = isReversed(bid) ? null : (bid.protection?.sellerShare ?? null);
  return share === null ? amountsOf(bid).netAmount : decimalToCents(share);
}

/** The label of the seller's net amount, by the bid's status. */
export function netLabel(bid: Bid): string {
  if (bid.status === 'pending') return 'You would receive';
  if (bid.status === 'rejected' || bid.status === 'cancelled' || isReversed(bid)) {
    return 'You would have received';
  }
  return bid.protection?.status === 'completed' ? 'You received' : 'You will receive';
}

/** 'Pay within 46 hours.', 'Answer within 5 days.'; null without a deadline. */
export function deadlineText(bid: Bid, side: BidSide, now: Date): string | null {
  if (bid.deadlineAt === null) return null;
  const isAccepted = bid.status === 'accepted';
  const time = timeLeft(bid.deadlineAt, now);
  if (time === null) return isAccepted ? 'The time to pay is over.' : 'The time to answer is over.';
  if (isAccepted) return side === 'bidder' ? `Pay within ${time}.` : `To be paid within ${time}.`;
  return side === turnOf(bid.round) ? `Answer within ${time}.` : `To be answered within ${time}.`;
}

const ENDINGS: Record<BidReason, (bid: Bid, side: BidSide) => string> = {
  by_bidder: (bid, side) =>
    side === 'bidder' ? 'You cancelled this bid.' : `${bid.bidderUsername} cancelled this bid.`,
  by_owner: (bid, side) =>
    side === 'owner' ? 'You declined this bid.' : `${bid.ownerUsername} declined this bid.`,
  exchange_ended: () => 'The exchange that it was part of has ended.',
  rival_accepted: () => 'Another bid on this coupon was accepted.',
  rival_completed: () => 'The coupon changed hands in another deal.',
  coupon_deleted: () => 'The owner removed the coupon.',
  coupon_changed: () => 'The coupon was changed.',
  coupon_expired: () => 'The coupon expired.',
  code_refused: () => 'The merchant says that the code does not work.',
  party_banned: () => 'Moderators closed one of the two accounts.',
  party_left: () => 'The other person closed their account.',
  deadline: ({ acceptedAt, round }) => {
    if (acceptedAt !== null) return `It was not paid within ${PAY_HOURS} hours.`;
    return round > 1
      ? `It was not answered within ${COUNTER_HOURS} hours.`
      : `It was not answered within ${DEADLINE_DAYS.bidPending} days.`;
  },
};

/** Why a bid has ended; null while it has not. */
export function endedBecause(bid: Bid, side: BidSide): string | null {
  return bid.reason === null ? null : ENDINGS[bid.reason](bid, side);
}

/** What holds for every bid. */
export const BINDING = `Bids are binding: once yours is accepted, you cannot cancel it, and you have ${PAY_HOURS} hours to pay.`;

/** The toast for a bid that was placed and not declined. */
export function placedText({ status, ownerUsername }: Bid): readonly [title: string, text: string] {
  return status === 'accepted'
    ? ['Bid accepted', `It meets ${ownerUsername}’s asking price. You have ${PAY_HOURS} hours to pay.`]
    : ['Bid placed', `${ownerUsername} can now accept or decline it.`];
}

/** How the owner's asking price accepted a bid; null if the owner did it in person. */
function acceptedAtOnce(bid: Bid, side: BidSide): string | null {
  if (!bid.isAutomatic) return null;
  return side === 'owner'
    ? 'It met your asking price and was accepted at once.'
    : `It met ${bid.ownerUsername}’s asking price and was accepted at once.`;
}

/** Puts sentences in a row. */
function inARow(...sentences: (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** The text for a bidder who cannot pay yet. */
export function notReadyText({ ownerUsername }: Pick<Bid, 'ownerUsername'>): string {
  return `${ownerUsername} still has to set up a payment account. You can pay as soon as that is done.`;
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
            'The coupon is reserved for you until the time to pay is over.',
            deadline,
          )
        : inARow(acceptedAtOnce(bid, side), `The coupon is reserved for ${bid.bidderUsername}.`, deadline);
    case 'completed':
      return null;
    case 'rejected':
    case 'cancelled':
      return inARow(endedBecause(bid, side), 'Nothing was charged.');
  }
}

function nextInFirstRound({ ownerUsername, bidderUsername }: Bid, side: BidSide): string {
  return side === 'bidder'
    ? `${ownerUsername} decides next. Until then you can cancel.`
    : `${bidderUsername} would like to buy your coupon. Accept or reject the bid.`;
}

/** What happens next after a counter-offer. */
function nextInRound(bid: Bid, side: BidSide): string {
  const { ownerUsername, bidderUsername } = bid;
  const amount = charged(decimalToCents(standingAmount(bid)));
  if (turnOf(bid.round) === side) {
    return side === 'bidder'
      ? `${ownerUsername} asks ${amount}: accept, decline or name another amount.`
      : `${bidderUsername} offers ${amount}: accept, decline or name another amount.`;
  }
  return side === 'owner'
    ? `You ask ${amount}; ${bidderUsername} answers next.`
    : `You offer ${amount}; ${ownerUsername} answers next.`;
}

/** The label of the button for an act. */
export function actLabel(act: BidAct, bid: Bid, side: BidSide): string {
  return act === 'cancelled' && side === turnOf(bid.round) ? 'Decline' : ACT_LABELS[act];
}

const ACT_LABELS: Record<BidAct, string> = {
  accepted: 'Accept',
  rejected: 'Reject',
  cancelled: 'Cancel Bid',
};

/** The texts of the dialog that confirms an act. */
export function actWords(act: BidAct, bid: Bid, side: BidSide): ActWords {
  const { amount, netAmount } = amountsOf(bid);
  if (side === 'bidder' && turnOf(bid.round) === 'bidder') return counterWords(act, bid);
  const coupon = `“${bid.coupon.title}”`;
  switch (act) {
    case 'accepted':
      return {
        title: 'Accept this bid?',
        confirm: 'Accept bid',
        keep: 'Not now',
        paragraphs: [
          `${bid.bidderUsername} bids ${charged(amount)}. You will receive ${charged(netAmount)}: the bid less the fee (${rateText(bid.feeRates.seller)}).`,
          'All other pending bids on this coupon will be rejected, and the coupon will be reserved for this bidder.',
          `${bid.bidderUsername} then has ${PAY_HOURS} hours to pay. We pay you after ${HOLD_HOURS} hours of buyer protection, or as soon as the buyer says that the code works.`,
        ],
      };
    case 'rejected':
      return {
        title: 'Reject this bid?',
        confirm: 'Reject bid',
        keep: 'Keep bid',
        paragraphs: [
          `${bid.bidderUsername} will be told that you declined ${charged(amount)} for ${coupon}.`,
        ],
      };
    case 'cancelled':
      return {
        title: 'Cancel your bid?',
        confirm: 'Cancel Bid',
        keep: 'Keep my bid',
        paragraphs: [`Your bid of ${charged(amount)} on ${coupon} will be withdrawn. You can bid again.`],
      };
  }
}

/** The same for a bidder who answers a counter-offer. */
function counterWords(act: BidAct, bid: Bid): ActWords {
  const { amount, buyerTotal } = amountsOf({ ...bid, amount: standingAmount(bid) });
  if (act === 'accepted') {
    return {
      title: 'Accept this counter-offer?',
      confirm: 'Accept',
      keep: 'Not now',
      paragraphs: [
        `${bid.ownerUsername} asks ${charged(amount)}. You will pay ${charged(buyerTotal)} with the fee, within ${PAY_HOURS} hours.`,
        'The coupon is then reserved for you. Bids are binding: you cannot cancel after that.',
      ],
    };
  }
  return {
    title: 'Decline this counter-offer?',
    confirm: 'Decline',
    keep: 'Not now',
    paragraphs: [`${bid.ownerUsername} asks ${charged(amount)}. This ends your bid. You can bid again.`],
  };
}

/** How far a bid has come: proposed, accepted, paid, final, or where it ended. */
export function bidSteps(bid: Bid): TimelineStep[] {
  if (bid.status === 'rejected' || bid.status === 'cancelled') return dealSteps(bid);
  return [
    stepAt('Proposed', bid.createdAt),
    stepAt('Accepted', bid.acceptedAt),
    stepAt('Paid', bid.completedAt),
    lastStep(bid.protection),
  ];
}

function lastStep(protection: Protection | null): TimelineStep {
  switch (protection?.status) {
    case 'held':
      return { name: 'Final', state: 'ahead', when: heldUntil(protection) };
    case 'releasing':
    case 'completed':
      return { name: 'Final', state: 'done' };
    case 'refunding':
      return { name: 'Refunded', state: 'ahead', when: 'under way' };
    case 'refunded':
      return { name: 'Refunded', state: 'ended' };
    case 'charged_back':
      return { name: 'Charged back', state: 'ended' };
    default:
      return { name: 'Final', state: 'ahead' };
  }
}

/** The day on which the protection ends; undefined while a claim or a dispute is open. */
function heldUntil({ holdUntil, isDisputed, claim }: Protection): string | undefined {
  if (holdUntil === null || isDisputed || claim?.status === 'open') return undefined;
  return `by ${formatDate(holdUntil)}`;
}
