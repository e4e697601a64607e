import { t } from '@lingui/core/macro';
import type { Cents } from '#contract/base/money.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import { HOLD_HOURS, type PaymentStatus } from '#contract/money/payments.ts';

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
  provider: 'open' | 'approved' | 'requires_action' | 'processing' | 'cancelled' | 'failed',
): PaymentStatus {
  if (!isUnsettled(current)) return current;
  return provider === 'requires_action' || provider === 'approved' ? 'open' : provider;
}

/**
 * Whether a provider's report says that the buyer has committed something: a card was confirmed, so that their bank asks
 * them or the payment is processed, or a PayPal order was approved. Whoever only opens the form has not.
 */
export function isCommitted(provider: Parameters<typeof unsettledStatus>[1]): boolean {
  return provider === 'requires_action' || provider === 'approved' || provider === 'processing';
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

/** The outcome of a paid sale. The ledger says where its money is. */
export function saleOf(status: PaymentStatus): 'unpaid' | 'held' | 'final' | 'undone' {
  switch (status) {
    case 'created':
    case 'open':
    case 'processing':
    case 'failed':
    case 'cancelled':
      return 'unpaid';
    case 'held':
      return 'held';
    case 'releasing':
    case 'completed':
      return 'final';
    case 'refunding':
    case 'refunded':
    case 'charged_back':
      return 'undone';
  }
}

/** Whether the money for every leg of an exchange is held, and no bank disputes any of it. */
export const areHeld = (
  prices: readonly { readonly status: PaymentStatus; readonly isDisputed: boolean }[],
) => prices.every(({ status, isDisputed }) => status === 'held' && !isDisputed);

/**
 * What becomes of a price that is held while its hold has not begun: its exchange may be completed now, or has ended
 * without it. Null: nothing, or it is none.
 */
export function endOfWait(
  { status, holdUntil: until }: { readonly status: PaymentStatus; readonly holdUntil: Date | null },
  bid: { readonly status: DealStatus; readonly exchangeId: number | null },
): 'complete' | 'refund' | null {
  if (status !== 'held' || until !== null || bid.exchangeId === null) return null;
  if (bid.status === 'accepted') return 'complete';
  return bid.status === 'cancelled' ? 'refund' : null;
}

/** Why an accepted bid that is not paid ends now; null: it goes on. For the price of an exchange, also its coupons' last day. */
export function endOfPayable(
  {
    status,
    exchangeId,
    deadlineAt,
    couponExpiresAt,
  }: {
    readonly status: DealStatus;
    readonly exchangeId: number | null;
    readonly deadlineAt: Date | null;
    readonly couponExpiresAt: Date | null;
  },
  at: Date,
): 'deadline' | 'coupon_expired' | null {
  if (status !== 'accepted') return null;
  if (exchangeId !== null && couponExpiresAt !== null && couponExpiresAt < at) return 'coupon_expired';
  return deadlineAt !== null && deadlineAt <= at ? 'deadline' : null;
}

/** Days after a payment that PayPal holds its money at most; then it pays the seller by itself (decisions 4.3). */
export const PAYPAL_HOLD_DAYS = 28;

/** Acts are given up after this time, and a person decides. */
const GIVE_UP_DAYS = 7;

export const isHopeless = (openedAt: Date, now: Date) =>
  now.getTime() - openedAt.getTime() >= GIVE_UP_DAYS * 24 * 3_600_000;

/** Why nothing of a payment can be refunded now; null if something can. Amounts are cents. */
export function refundObstacle(payment: {
  readonly isDisputed: boolean;
  readonly captured: Cents;
  readonly returned: Cents;
  readonly isRefunding: boolean;
}): string | null {
  if (payment.captured === 0) return t`Nothing was paid.`;
  if (payment.isDisputed)
    return t`The buyer’s bank disputes this payment. With a refund, the buyer could get the money twice.`;
  if (payment.returned >= payment.captured) return t`The buyer already got all of the money back.`;
  return payment.isRefunding ? t`A refund is already in progress.` : null;
}
