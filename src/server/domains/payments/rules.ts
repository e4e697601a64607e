import { HOLD_HOURS, type PaymentStatus } from '#contract/payments.ts';

/** Waits for the buyer: can still be paid, or given up. */
const PAYABLE: readonly PaymentStatus[] = ['created', 'open'];
/** Not settled either way. */
const UNSETTLED: readonly PaymentStatus[] = [...PAYABLE, 'processing'];
/** Never paid, as far as we knew. */
const GIVEN_UP: readonly PaymentStatus[] = ['cancelled', 'failed'];

export const isPayable = (status: PaymentStatus) => PAYABLE.includes(status);
export const isUnsettled = (status: PaymentStatus) => UNSETTLED.includes(status);
export const isGivenUp = (status: PaymentStatus) => GIVEN_UP.includes(status);

/** How the provider's word on a payment that is not settled changes its status; the same: not at all. */
export function unsettledStatus(
  current: PaymentStatus,
  provider: 'open' | 'requires_action' | 'processing' | 'cancelled' | 'failed',
): PaymentStatus {
  if (!isUnsettled(current)) return current;
  return provider === 'requires_action' ? 'open' : provider;
}

/** When the hold of a payment made at `paidAt` ends by itself (decisions 4.3). */
export function holdUntil(paidAt: Date): Date {
  return new Date(paidAt.getTime() + HOLD_HOURS * 3_600_000);
}

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MINUTES = 60;

/** When to try again after the `attempts`-th try: after 1, 2, 4, … minutes, at most an hour. */
export function nextTry(attempts: number, at: Date): Date {
  const minutes = Math.min(2 ** Math.min(Math.max(attempts - 1, 0), 10), LONGEST_WAIT_MINUTES);
  return new Date(at.getTime() + minutes * MINUTE_MS);
}

/** Tries that share an idempotency key: what a provider answered once, an error too, it answers again under the same. */
const TRIES_PER_KEY = 4;

/** The idempotency key of the `attempts`-th try of an act on a payment. */
export function keyOf(act: 'payout' | 'refund', paymentId: number, attempts: number): string {
  return `clipswap-payment-${paymentId}-${act}-${Math.floor((attempts - 1) / TRIES_PER_KEY) + 1}`;
}
