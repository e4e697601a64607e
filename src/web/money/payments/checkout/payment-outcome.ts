import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { PaymentStatus, Protection } from '#contract/money/payments.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useIsOnline } from '#web/lib/use-is-online.ts';
import { useStripe } from './stripe.ts';

/** What the result page says. */
export type PaymentOutcome =
  | { readonly kind: 'loading' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'success'; readonly text: string }
  | {
      readonly kind: 'failed';
      readonly text: string;
      /** Whether it is certain that nothing was charged. Only then may the page say so and offer another try. */
      readonly isUncharged: boolean;
    };

const { successfulText, processing, notSuccessful, otherStatus } = TEXTS.paymentResult;

const UNCHARGED_INTENT = ['requires_payment_method', 'canceled'];

/** The outcome of a card payment, by Stripe's status (spec/2 section 4). */
export function outcomeOfIntent(status: string): PaymentOutcome {
  if (status === 'succeeded') return { kind: 'success', text: successfulText() };
  if (status === 'processing') return { kind: 'success', text: processing() };
  const text = status === 'requires_payment_method' ? notSuccessful() : otherStatus(status);
  return { kind: 'failed', text, isUncharged: UNCHARGED_INTENT.includes(status) };
}

const PAID: readonly PaymentStatus[] = ['held', 'releasing', 'completed'];
const NOT_PAID: readonly PaymentStatus[] = ['cancelled', 'failed'];
const TAKEN_BACK: readonly PaymentStatus[] = ['refunding', 'refunded', 'charged_back'];

/** The outcome by our server's status. For PayPal it is the only source. */
export function outcomeOfProtection({ status }: Pick<Protection, 'status'>): PaymentOutcome {
  if (PAID.includes(status)) return { kind: 'success', text: successfulText() };
  if (status === 'processing') return { kind: 'success', text: processing() };
  const isUncharged = NOT_PAID.includes(status);
  return { kind: 'failed', text: isUncharged ? notSuccessful() : otherStatus(status), isUncharged };
}

/**
 * The outcome if both Stripe and our server have answered. The server decides if it has a payment that Stripe's
 * answer does not show, or if the money goes back, as for a payment after the bid's end.
 */
export function outcomeOfBoth(
  byCard: PaymentOutcome,
  protection: Pick<Protection, 'status'> | undefined,
): PaymentOutcome {
  if (!protection || byCard.kind === 'loading') return byCard;
  const settled = outcomeOfProtection(protection);
  const serverDecides =
    byCard.kind === 'failed' ? settled.kind === 'success' : TAKEN_BACK.includes(protection.status);
  return serverDecides ? settled : byCard;
}

const { noSecret, unavailable, notRetrieved, unexpected } = TEXTS.paymentResult;

interface PaymentAddress {
  /** Stripe's secret of the payment; null for PayPal and for an invalid address. */
  readonly clientSecret: string | null;
  readonly bidId: number | null;
  readonly isPaypal: boolean;
}

/**
 * How a payment ended, for display only: the server settles it with the provider. The page asks the server to do so
 * at once, so that the coupon is there when the buyer looks for it.
 */
export function usePaymentOutcome({ clientSecret, bidId, isPaypal }: PaymentAddress): PaymentOutcome {
  const { mutate, data, error } = trpc.payments.refresh.useMutation();
  const isOnline = useIsOnline();
  useEffect(() => {
    if (bidId !== null && isOnline) mutate({ bidId });
  }, [bidId, mutate, isOnline]);
  const byCard = useIntentOutcome(isPaypal ? null : clientSecret);

  const isKnown = data || byCard?.kind === 'success';
  if (!isOnline && !isKnown) return { kind: 'offline' };
  if (byCard) return outcomeOfBoth(byCard, data);
  if (!isPaypal || bidId === null) return { kind: 'failed', text: noSecret(), isUncharged: true };
  if (data) return outcomeOfProtection(data);
  return error ? unknown(writeErrorText(error, unexpected())) : { kind: 'loading' };
}

/** A failure that leaves open whether the buyer was charged. */
function unknown(text: string): PaymentOutcome {
  return { kind: 'failed', text, isUncharged: false };
}

/** The outcome by Stripe; null without a secret. */
function useIntentOutcome(clientSecret: string | null): PaymentOutcome | null {
  const client = trpc.payments.client.useQuery(undefined, { staleTime: 'static' });
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
  if (client.isError || (client.data && !settings) || stripe.isError) return unknown(unavailable());
  if (intent.isError) return unknown(unexpected());
  if (!intent.data) return { kind: 'loading' };
  const { paymentIntent } = intent.data;
  return paymentIntent ? outcomeOfIntent(paymentIntent.status) : unknown(notRetrieved());
}
