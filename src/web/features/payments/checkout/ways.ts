import type { Stripe } from '@stripe/stripe-js';
import type { Checkout } from '#contract/payments.ts';

/** What every way to pay is handed. */
export interface WayToPay {
  readonly checkout: Checkout;
  /** The payment was made, as far as the browser knows. `clientSecret` is Stripe's; PayPal has none. */
  readonly onPaid: (clientSecret: string | null) => void;
  /** The payment cannot be prepared. */
  readonly onProblem: (text: string) => void;
  /** Whether a payment is under way: nothing else can be chosen meanwhile. */
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
}

/** What every way to pay by card is handed. */
export interface CardWay extends WayToPay {
  readonly stripe: Stripe;
}
