import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Checkbox, Stack, Text } from '@mantine/core';
import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { PaymentIntent, StripeError } from '@stripe/stripe-js';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { locale, localPath } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { hasCode, writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { usePreparedIntent } from '../queries.ts';
import classes from './checkout.module.css';
import {
  CardFieldsSkeleton,
  CardFormSkeleton,
  isUnavailable,
  PaymentUnavailable,
  setupProblem,
} from './checkout-states.tsx';
import { useStripeAppearance } from './stripe.ts';
import type { CardWay } from './way-to-pay.tsx';
import { type AttemptResult, PayButton, useIsLate, usePaymentAttempt } from './way-to-pay.tsx';

/** Pays with a card that is typed into Stripe's own form: its number never reaches us. */
export function NewCard(way: CardWay) {
  const { data: intent, error, isFetching, refetch } = usePreparedIntent(way.checkout.bidId);
  const appearance = useStripeAppearance();
  const { onProblem } = way;
  const isUnchecked = hasCode(error, 'code_unchecked');
  const problem = error && !isUnavailable(error) && !isUnchecked ? setupProblem(error) : null;
  useEffect(() => {
    if (problem !== null) onProblem(problem);
  }, [problem, onProblem]);

  if (isUnavailable(error)) return <PaymentUnavailable onRetry={() => refetch()} isRetrying={isFetching} />;
  if (isUnchecked) {
    return (
      <Stack gap="sm" align="flex-start" role="alert">
        <Text>{writeErrorText(error, TEXTS.checkout.failedText())}</Text>
        <Button variant="default" loading={isFetching} onClick={() => refetch()}>
          <Trans>Continue without the check</Trans>
        </Button>
      </Stack>
    );
  }
  if (!intent) return <CardFormSkeleton />;
  return (
    // Stripe's form cannot change its payment: another payment needs another form.
    <Elements
      key={intent.clientSecret}
      stripe={way.stripe}
      options={{ clientSecret: intent.clientSecret, appearance, locale: locale() }}
    >
      <StripeForm clientSecret={intent.clientSecret} onAnother={() => refetch()} {...way} />
    </Elements>
  );
}

interface StripeFormProps extends CardWay {
  readonly clientSecret: string;
  /** Called when the server has started another payment and this form's one is over. */
  readonly onAnother: () => void;
}

function StripeForm({ stripe, clientSecret, checkout, isBusy, onBusy, onPaid, onAnother }: StripeFormProps) {
  const elements = useElements();
  const createIntent = trpc.payments.createIntent.useMutation();
  const unchecked = useUncheckedCodes();
  const { failure, attempt } = usePaymentAttempt(onBusy);
  const [keepCard, setKeepCard] = useState(false);
  /** Whether the provider was last told to save the card. */
  const isKeptAs = useRef(false);
  const [form, setForm] = useState({ attempt: 1, isReady: false, hasFailed: false });
  const isLate = useIsLate(!form.isReady && !form.hasFailed);

  const pay = async (): Promise<AttemptResult> => {
    if (!elements) return { isPaid: false };
    const { error } = await elements.submit();
    if (error) return resultOf({ error });
    if (keepCard !== isKeptAs.current) {
      try {
        const intent = await createIntent.mutateAsync({
          bidId: checkout.bidId,
          keepCard,
          ...unchecked.acknowledged(checkout.bidId),
        });
        if (intent.clientSecret !== clientSecret) {
          onAnother();
          return { isPaid: false, message: t`Please enter your card again.` };
        }
      } catch (refusal) {
        unchecked.note(refusal, checkout.bidId);
        return { isPaid: false, message: writeErrorText(refusal, TEXTS.checkout.failedText()) };
      }
      isKeptAs.current = keepCard;
      await elements.fetchUpdates();
    }
    const result = resultOf(
      await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: {
          return_url: window.location.origin + localPath(paths.paymentResult(checkout.bidId)),
        },
      }),
    );
    if (result.isPaid) onPaid(clientSecret);
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
        <Checkbox
          checked={keepCard}
          onChange={(event) => setKeepCard(event.currentTarget.checked)}
          disabled={isBusy}
          label={t`Keep this card for next time`}
          description={t`Stripe stores it. You can remove it in your profile settings.`}
        />
        <PayButton
          buyerTotal={checkout.buyerTotal}
          isBusy={isBusy}
          isDisabled={!form.isReady}
          failure={failure}
        />
      </Stack>
    </form>
  );
}

/** A constant, because a new object would update Stripe's form. */
const PAYMENT_ELEMENT = { layout: 'tabs' } as const;

const PAID: readonly (string | undefined)[] = ['succeeded', 'processing'];

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
