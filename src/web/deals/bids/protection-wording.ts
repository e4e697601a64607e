import { t } from '@lingui/core/macro';
import { moneyText } from '#contract/base/money.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { BidSide } from '#contract/deals/deals.ts';
import type { Protection, WaitReason } from '#contract/money/payments.ts';
import { PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { awaitedUntil } from '#web/deals/core/time-left.ts';
import { formatDateTime } from '#web/lib/format.ts';

interface Words {
  /** The state in a few words. */
  readonly title: string;
  /** What it means, and what happens next. */
  readonly text: string;
}

/** The state of a bid's payment in a few words; null while nothing has been paid. */
export function paymentTitle({ protection }: Bid, side: BidSide): string | null {
  return protection && (protectionWords(protection, side)?.title ?? null);
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
        title: t`Payment in progress`,
        text: isBuyer
          ? t`Your payment is being processed. The coupon is yours as soon as it is confirmed.`
          : t`The payment is being processed. The coupon changes hands as soon as it is confirmed.`,
      };
    case 'held':
      return heldWords(protection, isBuyer);
    case 'releasing':
    case 'completed':
      return protection.claim?.isLate
        ? lateWords(protection.claim, isBuyer)
        : finalWords(protection, isBuyer);
    case 'refunding':
      if (Number(protection.refundFailed) > 0) return failedRefundWords(isBuyer);
      return Number(protection.waiting) > 0 ? waitingWords(protection, isBuyer) : refundingWords(isBuyer);
    case 'refunded':
      return {
        title: t({ context: 'purchase', message: 'Refunded' }),
        text: isBuyer
          ? t`You got everything back, including the fee, and the seller has the coupon.`
          : t`The buyer got everything back. The coupon is yours again and no longer listed.`,
      };
    case 'charged_back':
      return {
        title: t`Taken back by the bank`,
        text: isBuyer
          ? t`Your bank has given you the money back.`
          : t`The buyer’s bank has taken the money back.`,
      };
  }
}

function finalWords({ status, provider }: Protection, isBuyer: boolean): Words {
  if (status === 'releasing') {
    return isBuyer
      ? { title: t`The sale is final`, text: t`The money is on its way to the seller.` }
      : { title: t`Your money is on its way`, text: t`The sale is final.` };
  }
  return isBuyer
    ? { title: t`The sale is final`, text: t`The seller has been paid.` }
    : {
        title: t`You have been paid`,
        text: t`The money is in your ${PROVIDER_NAMES[provider]} account. The sale is final.`,
      };
}

/** A claim under the guarantee, about a sale that is not undone. */
function lateWords(claim: NonNullable<Protection['claim']>, isBuyer: boolean): Words {
  const { status } = claim;
  if (status === 'open') {
    return {
      title: isBuyer ? t`Your claim is open` : t`The buyer says that the code no longer works`,
      text: openClaimText(claim, isBuyer),
    };
  }
  return {
    title: status === 'withdrawn' ? t`The claim was withdrawn` : t`The claim was declined`,
    text: t`The sale stays as it is.`,
  };
}

/** Whose word an open claim about a sale waits for. */
export function openClaimText(
  claim: Pick<NonNullable<Protection['claim']>, 'answerBy' | 'announcedEnd'> | null | undefined,
  isBuyer: boolean,
): string {
  if (claim?.announcedEnd?.isByFinding) return t`The merchant has answered about this code.`;
  const until = awaitedUntil(claim?.answerBy ?? null, new Date());
  if (until === null) return t`A moderator will read the claim and decide.`;
  return isBuyer
    ? t`The seller can answer until ${until}. Then a moderator decides.`
    : t`Please tell us what you know about it. A moderator decides when you have answered, at the latest after ${until}.`;
}

/** A claim under the guarantee was granted, and not all of the money is there yet. */
function waitingWords({ waiting }: Protection, isBuyer: boolean): Words {
  return {
    title: t`Refund in progress`,
    text: isBuyer
      ? t`You will get another ${moneyText(waiting)} as soon as it has been paid back.`
      : t`The buyer still gets ${moneyText(waiting)}. The coupon returns to you once they have it.`,
  };
}

function failedRefundWords(isBuyer: boolean): Words {
  return {
    title: t`A refund came back`,
    text: isBuyer
      ? t`Your bank did not take the refund. We will write to you about another way to get your money back.`
      : t`The buyer’s bank did not take the refund. We are looking for another way.`,
  };
}

function refundingWords(isBuyer: boolean): Words {
  return {
    title: t`Refund in progress`,
    text: isBuyer
      ? t`You get back everything you paid, including the fee.`
      : t`The buyer gets everything back. The coupon returns to you and is no longer listed.`,
  };
}

const WAITING: Record<WaitReason, string> = {
  dispute: t`Your payout is on hold until the bank decides.`,
  refund: t`Your payout is on hold until a refund arrives.`,
  seller_banned: t`Your payout is on hold: your account here is banned.`,
  seller_suspended: t`Your payout is on hold: your account here is suspended.`,
  account_restricted: t`Your payout is on hold: your payment provider has restricted your account. Complete the account there.`,
  report: t`Your payout is on hold until a report on this sale is decided.`,
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
  if (Number(refunded) > 0 && status !== 'refunded') facts.push(t`Refunded so far: ${moneyText(refunded)}.`);
  if (Number(takenByBank) > 0) facts.push(t`Taken back by the bank so far: ${moneyText(takenByBank)}.`);
  if (Number(keptBack) > 0)
    facts.push(t`Withheld for what you owed on an earlier sale: ${moneyText(keptBack)}.`);
  if (waitsFor !== null) facts.push(WAITING[waitsFor]);
  return facts;
}

function heldWords({ isDisputed, claim, holdUntil }: Protection, isBuyer: boolean): Words {
  if (isDisputed) {
    return {
      title: t`The bank disputes this payment`,
      text: t`We cannot pay out or refund anything until the buyer’s bank has decided.`,
    };
  }
  if (claim?.status === 'open') {
    const held = isBuyer ? t`We hold the money until then.` : t`We hold your money until then.`;
    return {
      title: isBuyer ? t`Your claim is open` : t`The buyer says that the code does not work`,
      text: `${openClaimText(claim, isBuyer)} ${held}`,
    };
  }
  if (claim?.status === 'released') {
    return {
      title: t`The claim was decided for the seller`,
      text: isBuyer ? t`The money goes to the seller shortly.` : t`We will pay you shortly.`,
    };
  }
  const until = holdUntil === null ? null : formatDateTime(holdUntil);
  return isBuyer
    ? {
        title: until === null ? t`Protected` : t`Protected until ${until}`,
        text: t`Try the code before then. We pay the seller then, or as soon as you say that it works.`,
      }
    : {
        title: until === null ? t`Paid, and held` : t`Paid, and held until ${until}`,
        text: t`We pay you then, or as soon as the buyer says that the code works.`,
      };
}
