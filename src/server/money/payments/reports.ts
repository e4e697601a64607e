import { baseCurrency, type Cents } from '#contract/base/money.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import { dueToSeller, feeShareOf } from '#server/money/books/service.ts';
import type { PaymentState } from '#server/providers/payments.ts';
import type { Payment } from './store.ts';

/** What a provider's report says, compared with what we have asked for and booked. */

/**
 * Whether it is of a duplicate at the provider, created after the answer to the first request was lost. Nobody has its
 * secret, so nobody can pay it.
 */
export function isDuplicate(payment: Payment, state: PaymentState): boolean {
  const isOurs = state.publicId === payment.publicId && payment.ref !== null;
  return isOurs && payment.ref !== state.ref && state.status === 'open';
}

/**
 * Whether a report is from before a payout or a refund that is booked, as it was read while the other was made: both stay at
 * the provider, unless they fail, which it tells.
 */
export function isOutdated(
  { refundFailed }: Pick<Payment, 'refundFailed'>,
  state: PaymentState,
  booked: Totals,
): boolean {
  const { totals, payouts } = state;
  const made = totals.refunded + totals.refundFailed;
  if (totals.refundFailed < refundFailed || made < booked.refunded + refundFailed) return true;
  const hasFailed = payouts.some(({ status }) => status === 'failed');
  return !hasFailed && paidOut(state).transferred < booked.transferred;
}

/** How a report differs from what we requested; null when it does not. */
export function mismatchOf(payment: Payment, state: PaymentState): string | null {
  const isOther = payment.ref !== null && payment.ref !== state.ref;
  if (isOther || (state.publicId !== null && state.publicId !== payment.publicId))
    return 'It is another payment';
  if (state.currency !== baseCurrency()) return `Its currency is ${state.currency}`;
  if (state.amount !== payment.buyerTotal) return `Its amount is ${state.amount} cents`;
  if (state.receiver !== null && state.receiver !== payment.receiverAccount)
    return 'It is for another account';
  const { captured } = state.totals;
  if (state.status === 'succeeded' && captured !== payment.buyerTotal)
    return `Captured are ${captured} cents`;
  return null;
}

/**
 * How the payouts differ from what the seller is due or we have asked for; null when they do not.
 * @param asked the most that a payout was asked for, in cents
 */
export function wrongPayout(
  payment: Payment,
  state: PaymentState,
  booked: Totals,
  asked: Cents,
): string | null {
  const stranger = state.payouts.find(({ receiver }) => receiver !== payment.receiverAccount);
  if (stranger) return `Payout ${stranger.ref} went to another account`;
  const paid = paidOut(state).transferred - booked.transferred;
  // PayPal itself decides the amount of its one payout.
  if (paid === 0 || payment.provider === 'paypal') return null;
  const due = dueToSeller(payment, totalsOf(payment, state, booked)) + paid;
  const wasDue = dueToSeller(payment, booked);
  return (paid > 0 && paid <= asked) || paid === due || paid === wasDue
    ? null
    : `Payouts of ${paid} cents were not asked for`;
}

function paidOut({ payouts }: PaymentState): Pick<Totals, 'transferred' | 'reversed'> {
  const made = payouts.filter(({ status }) => status === 'succeeded');
  return {
    transferred: made.reduce((sum, { amount }) => sum + amount, 0),
    reversed: made.reduce((sum, { reversed }) => sum + reversed, 0),
  };
}

/** The provider's totals as the ledger books them. What the provider does not know stays as it is booked. */
export function totalsOf(payment: Payment, state: PaymentState, booked: Totals): Totals {
  const { captured, refunded, withdrawn, lost, providerFees, feesRefunded } = state.totals;
  return {
    ...booked,
    ...{ captured, refunded, withdrawn, lost },
    providerFees: providerFees ?? booked.providerFees,
    feesRefunded: feesRefunded ?? feeShareOf(payment, refunded),
    ...paidOut(state),
  };
}
