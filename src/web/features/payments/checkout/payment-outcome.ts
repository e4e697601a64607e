import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PaymentStatus, Protection } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { usePaymentClient, useRefreshPayment } from '../queries.ts';
import { useStripe } from './stripe.ts';

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

const { noSecret, unavailable, notRetrieved, unexpected } = TEXTS.paymentResult;

interface PaymentAddress {
  /** Stripe's secret of the payment; null for PayPal and for nonsense. */
  readonly clientSecret: string | null;
  readonly bidId: number | null;
  readonly isPaypal: boolean;
}

/**
 * How a payment ended, for the eyes alone: the server settles it by what the provider tells the server. It is asked
 * to do so at once, so that the coupon is there when the buyer looks for it.
 */
export function usePaymentOutcome({ clientSecret, bidId, isPaypal }: PaymentAddress): PaymentOutcome {
  const { mutate, data, error } = useRefreshPayment();
  useEffect(() => {
    if (bidId !== null) mutate({ bidId });
  }, [bidId, mutate]);
  const byCard = useIntentOutcome(isPaypal ? null : clientSecret);

  if (byCard) return outcomeOfBoth(byCard, data);
  if (!isPaypal || bidId === null) return { kind: 'failed', text: noSecret, isUncharged: true };
  if (data) return outcomeOfProtection(data);
  return error ? unknown(writeErrorText(error, unexpected)) : { kind: 'loading' };
}

/** It could not be found out. */
function unknown(text: string): PaymentOutcome {
  return { kind: 'failed', text, isUncharged: false };
}

/** What Stripe says of the payment; null without a secret. */
function useIntentOutcome(clientSecret: string | null): PaymentOutcome | null {
  const client = usePaymentClient();
  const settings = clientSecret === null ? null : (client.data?.stripe ?? null);
  const stripe = useStripe(settings);
  const intent = useQuery({
    queryKey: ['payment-intent', clientSecret],
    queryFn: async () => (await stripe.data?.retrievePaymentIntent(clientSecret ?? '')) ?? null,
    enabled: clientSecret !== null && stripe.data !== undefined,
    retry: false,
    gcTime: 0,
    structuralSharing: false,
    networkMode: 'always',
  });
  if (clientSecret === null) return null;
  if (client.isError || (client.data && !settings) || stripe.isError) return unknown(unavailable);
  if (intent.isError) return unknown(unexpected);
  if (!intent.data) return { kind: 'loading' };
  const { paymentIntent } = intent.data;
  return paymentIntent ? outcomeOfIntent(paymentIntent.status) : unknown(notRetrieved);
}
