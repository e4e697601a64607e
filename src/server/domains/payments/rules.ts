import type { DealStatus } from '#contract/deals.ts';
import { type Cents, centsToDecimal } from '#contract/money.ts';
import type { LogAction } from '#contract/notifications.ts';
import { HOLD_HOURS, type PaymentStatus } from '#contract/payments.ts';

/** Waiting for the buyer. */
const PAYABLE: readonly PaymentStatus[] = ['created', 'open'];
const UNSETTLED: readonly PaymentStatus[] = [...PAYABLE, 'processing'];
/** Ended unpaid. */
const GIVEN_UP: readonly PaymentStatus[] = ['cancelled', 'failed'];

export const isPayable = (status: PaymentStatus) => PAYABLE.includes(status);
export const isUnsettled = (status: PaymentStatus) => UNSETTLED.includes(status);
export const isGivenUp = (status: PaymentStatus) => GIVEN_UP.includes(status);

/** The status after a provider's report on an unsettled payment; settled ones do not change. */
export function unsettledStatus(
  current: PaymentStatus,
  provider: 'open' | 'requires_action' | 'processing' | 'cancelled' | 'failed',
): PaymentStatus {
  if (!isUnsettled(current)) return current;
  return provider === 'requires_action' ? 'open' : provider;
}

/** The end of the hold of a payment made at `paidAt` (decisions 4.3). */
export function holdUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + HOLD_HOURS * 3_600_000);
}

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MINUTES = 60;

/** The time of the next try after `attempts` tries: 1, 2, 4, … minutes later, at most an hour. */
export function nextTry(attempts: number, at: Date): Date {
  const minutes = Math.min(2 ** Math.min(Math.max(attempts - 1, 0), 10), LONGEST_WAIT_MINUTES);
  return new Date(at.getTime() + minutes * MINUTE_MS);
}

/** Providers repeat stored answers, errors too, for a repeated key; so the key changes after some tries. */
const TRIES_PER_KEY = 4;

export function idempotencyKeyOf(act: 'payout' | 'refund', publicId: string, attempts: number): string {
  return `${publicId}-${act}-${Math.floor((attempts - 1) / TRIES_PER_KEY) + 1}`;
}

/** What can happen to a payment. */
export type PaymentStory =
  | 'paid'
  | 'paid_too_late'
  | 'confirmed'
  | 'released'
  | 'claimed'
  | 'claim_withdrawn'
  | 'claim_refunded'
  | 'claim_released'
  | 'paid_out'
  | 'refunded'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost';

interface Story {
  readonly action: LogAction;
  readonly mailSubject: string;
  /** Null when this party is not notified. */
  readonly buyer: string | null;
  readonly seller: string | null;
}

/** The sentences about an event. @param note the moderator's, if there is one */
export function storyOf(
  what: PaymentStory,
  bid: { couponTitle: string; bidderUsername: string; status: DealStatus },
  payment: { buyerTotal: Cents; netAmount: Cents },
  note: string | null,
): Story {
  const coupon = `“${bid.couponTitle}”`;
  const [total, net] = [payment.buyerTotal, payment.netAmount].map(
    (cents) => `$${centsToDecimal(cents)} CAD`,
  );
  const why = note === null ? '' : ` A moderator writes: “${note}”`;
  const stories: Record<PaymentStory, Story> = {
    paid: {
      action: 'payment',
      mailSubject: 'Your payment is protected',
      buyer: `You paid ${total} for ${coupon}. Try the code: the seller’s money is held for ${HOLD_HOURS} hours.`,
      seller: `${bid.bidderUsername} paid for ${coupon}. Your ${net} are held for ${HOLD_HOURS} hours while they try the code.`,
    },
    paid_too_late: {
      action: 'refund',
      mailSubject: 'Your payment goes back to you',
      buyer: `Your payment of ${total} for ${coupon} came when it was no longer for sale. All of it goes back to you.`,
      seller: null,
    },
    confirmed: {
      action: 'payment',
      mailSubject: 'Your sale is final',
      buyer: null,
      seller: `${bid.bidderUsername} confirmed that the code of ${coupon} works. Your ${net} are on their way.`,
    },
    released: {
      action: 'payment',
      mailSubject: 'Your sale is final',
      buyer: `The ${HOLD_HOURS} hours for ${coupon} are over, and the sale is final.`,
      seller: `The ${HOLD_HOURS} hours for ${coupon} are over. Your ${net} are on their way.`,
    },
    claimed: {
      action: 'updated',
      mailSubject: 'A buyer says that a code does not work',
      buyer: null,
      seller: `${bid.bidderUsername} says that the code of ${coupon} does not work. A moderator will decide; your ${net} stay held.`,
    },
    claim_withdrawn: {
      action: 'updated',
      mailSubject: 'A claim was withdrawn',
      buyer: null,
      seller: `${bid.bidderUsername} withdrew their claim about ${coupon}.`,
    },
    claim_refunded: {
      action: 'refund',
      mailSubject: 'Your claim was decided',
      buyer: `Your claim about ${coupon} was granted: ${total} go back to you.${why}`,
      seller: `The claim about ${coupon} was granted: the buyer gets their money back, and you the coupon.${why}`,
    },
    claim_released: {
      action: 'payment',
      mailSubject: 'A claim was decided',
      buyer: `Your claim about ${coupon} was not granted, and the sale is final.${why}`,
      seller: `The claim about ${coupon} was not granted. Your ${net} are released.${why}`,
    },
    paid_out: {
      action: 'payment',
      mailSubject: 'You have been paid',
      buyer: null,
      seller: `You have been paid ${net} for ${coupon}.`,
    },
    refunded: {
      action: 'refund',
      mailSubject: 'Your refund',
      buyer: `You have been refunded ${total} for ${coupon}.`,
      seller:
        bid.status === 'completed'
          ? `The sale of ${coupon} was undone: the coupon is yours again, and not listed.`
          : null,
    },
    disputed: {
      action: 'updated',
      mailSubject: 'A payment is questioned by the bank',
      buyer: `Your bank questions your payment for ${coupon}. Until it has decided, nothing can be released or refunded.`,
      seller: `The buyer’s bank questions the payment for ${coupon}. Until it has decided, nothing can be released or refunded.`,
    },
    dispute_won: {
      action: 'payment',
      mailSubject: 'The bank has confirmed a payment',
      buyer: null,
      seller: `The bank has confirmed the payment for ${coupon}.`,
    },
    dispute_lost: {
      action: 'refund',
      mailSubject: 'The bank has taken a payment back',
      buyer: `Your bank has given you back your payment for ${coupon}.`,
      seller: `The buyer’s bank has taken back the payment for ${coupon}.`,
    },
  };
  return stories[what];
}
