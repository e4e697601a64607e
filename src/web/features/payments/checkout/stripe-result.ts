import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import type { AttemptResult } from './use-payment-attempt.ts';

const PAID: readonly (string | undefined)[] = ['succeeded', 'processing'];

/** What Stripe's answer means. A refusal of what is paid already is none: somebody pressed twice, in two windows. */
export function resultOf({
  error,
  paymentIntent,
}: {
  error?: StripeError;
  paymentIntent?: PaymentIntent;
}): AttemptResult {
  if (PAID.includes((error?.payment_intent ?? paymentIntent)?.status)) return { isPaid: true };
  // The form itself marks a field that is not complete.
  return { isPaid: false, message: error?.message, isShown: error?.type === 'validation_error' };
}
