import type { BidSide } from '#contract/deals.ts';
import { moneyText } from '#contract/money.ts';
import type { Protection, WaitReason } from '#contract/payments.ts';
import { PROVIDER_NAMES } from '#contract/sellers.ts';
import { formatDateTime } from '#web/lib/format.ts';

interface Words {
  /** The state in a few words. */
  readonly title: string;
  /** What it means, and what happens next. */
  readonly text: string;
}

/** The state of a payment for one of its parties; null while nothing has been paid. */
export function protectionWords(protection: Protection, side: BidSide): Words | null {
  const isBuyer = side === 'bidder';
  switch (protection.status) {
    case 'created':
    case 'open':
    case 'cancelled':
    case 'failed':
      return null;
    case 'processing':
      return {
        title: 'Payment in progress',
        text: isBuyer
          ? 'Your payment is being processed. The coupon is yours as soon as it is confirmed.'
          : 'The payment is being processed. The coupon changes hands as soon as it is confirmed.',
      };
    case 'held':
      return heldWords(protection, isBuyer);
    case 'releasing':
      return isBuyer
        ? { title: 'The sale is final', text: 'The money is on its way to the seller.' }
        : { title: 'Your money is on its way', text: 'The sale is final.' };
    case 'completed':
      return isBuyer
        ? { title: 'The sale is final', text: 'The seller has been paid.' }
        : {
            title: 'You have been paid',
            text: `The money is in your ${PROVIDER_NAMES[protection.provider]} account. The sale is final.`,
          };
    case 'refunding':
      return {
        title: 'Refund in progress',
        text: isBuyer
          ? 'Everything you paid goes back to you, including the fee.'
          : 'The buyer gets everything back. The coupon returns to you and is no longer listed.',
      };
    case 'refunded':
      return {
        title: 'Refunded',
        text: isBuyer
          ? 'You got everything back, including the fee, and the seller has the coupon.'
          : 'The buyer got everything back. The coupon is yours again and no longer listed.',
      };
    case 'charged_back':
      return {
        title: 'Taken back by the bank',
        text: isBuyer
          ? 'Your bank has given you the money back.'
          : 'The buyer’s bank has taken the money back.',
      };
  }
}

const WAITING: Record<WaitReason, string> = {
  dispute: 'Your payout waits until the bank has decided.',
  refund: 'Your payout waits until a refund has arrived.',
  seller_banned: 'Your payout waits: your account here is banned.',
  seller_suspended: 'Your payout waits: your account here is suspended.',
  account_restricted:
    'Your payout waits: your account at the payment provider is restricted. Complete it there.',
  report: 'Your payout waits until a report on this sale is decided.',
};

/** The other movements of the money, a sentence each. */
export function moneyFacts({
  status,
  refunded,
  takenByBank,
  keptBack,
  waitsFor,
}: Protection): readonly string[] {
  const facts: string[] = [];
  if (Number(refunded) > 0 && status !== 'refunded') facts.push(`Refunded so far: ${moneyText(refunded)}.`);
  if (Number(takenByBank) > 0) facts.push(`Taken back by the bank so far: ${moneyText(takenByBank)}.`);
  if (Number(keptBack) > 0)
    facts.push(`Withheld for what you owed on an earlier sale: ${moneyText(keptBack)}.`);
  if (waitsFor !== null) facts.push(WAITING[waitsFor]);
  return facts;
}

function heldWords({ isDisputed, claim, holdUntil }: Protection, isBuyer: boolean): Words {
  if (isDisputed) {
    return {
      title: 'The bank disputes this payment',
      text: 'We cannot pay out or refund anything until the buyer’s bank has decided.',
    };
  }
  if (claim?.status === 'open') {
    return isBuyer
      ? {
          title: 'Your claim is open',
          text: 'A moderator will read the claim and decide. We hold the money until then.',
        }
      : {
          title: 'The buyer says that the code does not work',
          text: 'A moderator will read the claim and decide. We hold your money until then.',
        };
  }
  if (claim?.status === 'released') {
    return {
      title: 'The claim was decided for the seller',
      text: isBuyer ? 'The money goes to the seller shortly.' : 'We will pay you shortly.',
    };
  }
  const until = holdUntil === null ? null : formatDateTime(holdUntil);
  return isBuyer
    ? {
        title: until === null ? 'Protected' : `Protected until ${until}`,
        text: 'Try the code before then. We pay the seller then, or as soon as you say that it works.',
      }
    : {
        title: until === null ? 'Paid, and held' : `Paid, and held until ${until}`,
        text: 'We pay you then, or as soon as the buyer says that the code works.',
      };
}
