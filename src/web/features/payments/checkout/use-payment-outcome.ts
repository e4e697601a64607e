import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { usePaymentClient, useRefreshPayment } from '../queries.ts';
import {
  outcomeOfBoth,
  outcomeOfIntent,
  outcomeOfProtection,
  type PaymentOutcome,
} from './payment-outcome.ts';
import { useStripe } from './use-stripe.ts';

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
