import type { Bid } from '#contract/bids.ts';
import { type BidReason, type BidSide, COUNTER_HOURS, DEADLINE_DAYS, turnOf } from '#contract/deals.ts';
import { type FeeBreakdown, type FeeRate, feesOf, rateText } from '#contract/fees.ts';
import { BASE_CURRENCY, type Cents, decimalToCents, formatMoney } from '#contract/money.ts';
import type { Protection } from '#contract/payments.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import type { ActWords } from '#web/components/deal-dialogs.tsx';
import { dealSteps, stepAt, type TimelineStep } from '#web/components/deal-dialogs.tsx';
import { formatDate } from '#web/lib/format.ts';
import { type BidAct, isReversed, standingAmount } from './sides.ts';

/** Hours to pay for an accepted bid. */
const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

const HOUR_MS = 3_600_000;

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

/** 'Pay within 46 hours', 'Answer within 5 days'; null without a deadline. */
export function deadlineText(bid: Bid, side: BidSide, now: Date): string | null {
  if (bid.deadlineAt === null) return null;
  const isAccepted = bid.status === 'accepted';
  const left = Date.parse(bid.deadlineAt) - now.getTime();
  if (left <= 0) return isAccepted ? 'The time to pay is over' : 'The time to answer is over';
  const hours = Math.ceil(left / HOUR_MS);
  const within = hours > 48 ? `${Math.ceil(hours / 24)} days` : hours === 1 ? '1 hour' : `${hours} hours`;
  if (isAccepted) return side === 'bidder' ? `Pay within ${within}` : `To be paid within ${within}`;
  return side === turnOf(bid.round) ? `Answer within ${within}` : `To be answered within ${within}`;
}

const ENDINGS: Record<BidReason, (bid: Bid, side: BidSide) => string> = {
  by_bidder: (bid, side) => `${side === 'bidder' ? 'You' : bid.bidderUsername} cancelled this bid.`,
  by_owner: (bid, side) => `${side === 'owner' ? 'You' : bid.ownerUsername} declined this bid.`,
  rival_accepted: () => 'Another bid on this coupon was accepted.',
  rival_completed: () => 'The coupon changed hands in another deal.',
  coupon_deleted: () => 'The owner removed the coupon.',
  coupon_changed: () => 'The coupon was changed.',
  coupon_expired: () => 'The coupon expired.',
  code_refused: () => 'The merchant says that the code does not work.',
  party_banned: () => 'Moderators closed one of the two accounts.',
  party_left: () => 'The other person closed their account.',
  deadline: (bid) =>
    bid.acceptedAt === null
      ? `It was not answered within ${bid.round > 1 ? `${COUNTER_HOURS} hours` : `${DEADLINE_DAYS.bidPending} days`}.`
      : `It was not paid within ${PAY_HOURS} hours.`,
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

/** How the owner's asking price accepted a bid; empty if the owner did it in person. */
function acceptedAtOnce(bid: Bid, side: BidSide): string {
  if (!bid.isAutomatic) return '';
  return side === 'owner'
    ? 'It met your asking price and was accepted at once. '
    : `It met ${bid.ownerUsername}’s asking price and was accepted at once. `;
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
      if (bid.round > 1) return nextInRound(bid, side, deadline ?? '');
      return side === 'bidder'
        ? `${bid.ownerUsername} decides next. Until then you can cancel. ${deadline}.`
        : `${bid.bidderUsername} would like to buy your coupon. Accept or reject the bid. ${deadline}.`;
    case 'accepted':
      return side === 'bidder'
        ? `${acceptedAtOnce(bid, side)}The coupon is reserved for you. ${deadline}, or others can get it again.`
        : `${acceptedAtOnce(bid, side)}The coupon is reserved for ${bid.bidderUsername}. ${deadline}.`;
    case 'completed':
      return null;
    case 'rejected':
    case 'cancelled':
      return `${endedBecause(bid, side) ?? ''} Nothing was charged.`.trim();
  }
}

/** What happens next after a counter-offer. */
function nextInRound(bid: Bid, side: BidSide, deadline: string): string {
  const amount = charged(decimalToCents(standingAmount(bid)));
  const other = side === 'owner' ? bid.bidderUsername : bid.ownerUsername;
  return turnOf(bid.round) === side
    ? `${other} ${side === 'bidder' ? 'asks' : 'offers'} ${amount}: accept, decline or name another amount. ${deadline}.`
    : `You ${side === 'owner' ? 'ask' : 'offer'} ${amount}; ${other} answers next. ${deadline}.`;
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

/** 'the 5% fee', 'a fee of 5%, at least $0.50 CAD'. */
function feeInWords(rate: FeeRate): string {
  return rate.minimum === 0 ? `the ${rateText(rate)} fee` : `a fee of ${rateText(rate)}`;
}

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
          `${bid.bidderUsername} bids ${charged(amount)}. You will receive ${charged(netAmount)}: the bid less ${feeInWords(bid.feeRates.seller)}.`,
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
