import type { PaymentStatus, Protection } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';

/** What the result page says. */
export type PaymentOutcome =
  | { readonly kind: 'loading' }
  | { readonly kind: 'success'; readonly text: string }
  | {
      readonly kind: 'failed';
      readonly text: string;
      /** Whether it is known that nothing was charged. Where it is not, nobody is told so, or to pay again. */
      readonly isUncharged: boolean;
    };

const { successfulText, processing, notSuccessful, otherStatus } = TEXTS.paymentResult;

const UNCHARGED_INTENT = ['requires_payment_method', 'canceled'];

/** The outcome of a card payment, by the status that Stripe told the browser (spec/2 section 4). */
export function outcomeOfIntent(status: string): PaymentOutcome {
  if (status === 'succeeded') return { kind: 'success', text: successfulText };
  if (status === 'processing') return { kind: 'success', text: processing };
  const text = status === 'requires_payment_method' ? notSuccessful : otherStatus(status);
  return { kind: 'failed', text, isUncharged: UNCHARGED_INTENT.includes(status) };
}

const PAID: readonly PaymentStatus[] = ['held', 'releasing', 'completed'];
const NOT_PAID: readonly PaymentStatus[] = ['cancelled', 'failed'];
const TAKEN_BACK: readonly PaymentStatus[] = ['refunding', 'refunded', 'charged_back'];

/** The outcome by what our own server has settled: for PayPal, of which the browser knows nothing. */
export function outcomeOfProtection({ status }: Pick<Protection, 'status'>): PaymentOutcome {
  if (PAID.includes(status)) return { kind: 'success', text: successfulText };
  if (status === 'processing') return { kind: 'success', text: processing };
  const isUncharged = NOT_PAID.includes(status);
  return { kind: 'failed', text: isUncharged ? notSuccessful : otherStatus(status), isUncharged };
}

/**
 * What is said where both have spoken. The server's word counts where it knows of money that the browser does not
 * know of, or that has gone back: as that of a payment which came after the bid had ended.
 */
export function outcomeOfBoth(
  byCard: PaymentOutcome,
  protection: Pick<Protection, 'status'> | undefined,
): PaymentOutcome {
  if (!protection || byCard.kind === 'loading') return byCard;
  const settled = outcomeOfProtection(protection);
  const knowsBetter =
    byCard.kind === 'failed' ? settled.kind === 'success' : TAKEN_BACK.includes(protection.status);
  return knowsBetter ? settled : byCard;
}
