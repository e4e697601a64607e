import { Box, Stack } from '@mantine/core';
import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { PaymentIntent, Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { type FormEvent, type ReactNode, useState } from 'react';
import { locale, localPath } from '#contract/base/i18n.ts';
import classes from './checkout.module.css';
import { CardFieldsSkeleton, PaymentUnavailable } from './checkout-states.tsx';
import { useStripeAppearance } from './stripe.ts';
import { type AttemptResult, useIsLate, usePaymentAttempt } from './way-to-pay.tsx';

interface CardFormProps {
  readonly stripe: Stripe;
  readonly clientSecret: string;
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onPaid: () => void;
  /** Our page to which a bank may lead back. */
  readonly returnPath: string;
  /** What is done before the card is confirmed. @returns why it cannot be; null: it can */
  readonly prepare?: (elements: StripeElements) => Promise<AttemptResult | null>;
  /** Between the fields and the button. */
  readonly children?: ReactNode;
  readonly button: (state: { isBusy: boolean; isDisabled: boolean; failure: string | null }) => ReactNode;
}

/** A card that is typed into Stripe's own form: its number never reaches us. */
export function CardForm(props: CardFormProps) {
  const appearance = useStripeAppearance();
  return (
    // Stripe's form cannot change its payment: another payment needs another form.
    <Elements
      key={props.clientSecret}
      stripe={props.stripe}
      options={{ clientSecret: props.clientSecret, appearance, locale: locale() }}
    >
      <Fields {...props} />
    </Elements>
  );
}

function Fields({ stripe, isBusy, onBusy, onPaid, returnPath, prepare, children, button }: CardFormProps) {
  const elements = useElements();
  const { failure, attempt } = usePaymentAttempt(onBusy);
  const [form, setForm] = useState({ attempt: 1, isReady: false, hasFailed: false });
  const isLate = useIsLate(!form.isReady && !form.hasFailed);

  const pay = async (): Promise<AttemptResult> => {
    if (!elements) return { isPaid: false };
    const { error } = await elements.submit();
    if (error) return resultOf({ error });
    const obstacle = await prepare?.(elements);
    if (obstacle) return obstacle;
    const result = resultOf(
      await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: window.location.origin + localPath(returnPath) },
      }),
    );
    if (result.isPaid) onPaid();
    return result;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(pay);
  };

  if (form.hasFailed || isLate) {
    const retry = () =>
      setForm(({ attempt: last }) => ({ attempt: last + 1, isReady: false, hasFailed: false }));
    return <PaymentUnavailable onRetry={retry} />;
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div className={classes.form} aria-busy={!form.isReady}>
          {!form.isReady && (
            <Box pos="absolute" inset={0}>
              <CardFieldsSkeleton />
            </Box>
          )}
          {/* Has a layout, so that Stripe can measure it, but is invisible until it is complete. */}
          <div style={{ visibility: form.isReady ? undefined : 'hidden' }}>
            <PaymentElement
              key={form.attempt}
              options={PAYMENT_ELEMENT}
              onReady={() => setForm((now) => ({ ...now, isReady: true }))}
              onLoadError={() => setForm((now) => ({ ...now, hasFailed: true }))}
            />
          </div>
        </div>
        {children}
        {button({ isBusy, isDisabled: !form.isReady, failure })}
      </Stack>
    </form>
  );
}

/** A constant, because a new object would update Stripe's form. */
const PAYMENT_ELEMENT = { layout: 'tabs' } as const;

/** requires_capture: the money is reserved, as of a deposit. */
const PAID: readonly (string | undefined)[] = ['succeeded', 'processing', 'requires_capture'];

/** Reads Stripe's answer. An error about a paid payment counts as paid: the buyer pressed in two windows. */
export function resultOf({
  error,
  paymentIntent,
}: {
  error?: StripeError;
  paymentIntent?: PaymentIntent;
}): AttemptResult {
  if (PAID.includes((error?.payment_intent ?? paymentIntent)?.status)) return { isPaid: true };
  // The form marks incomplete fields itself.
  return { isPaid: false, message: error?.message, isShown: error?.type === 'validation_error' };
}
