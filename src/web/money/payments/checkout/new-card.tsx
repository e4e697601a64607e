import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Stack, Text } from '@mantine/core';
import type { StripeElements } from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { hasCode, writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { usePreparedIntent } from '../queries.ts';
import { CardForm } from './card-form.tsx';
import { CardFormSkeleton, isUnavailable, PaymentUnavailable, setupProblem } from './checkout-states.tsx';
import type { CardWay } from './way-to-pay.tsx';
import { type AttemptResult, PayButton } from './way-to-pay.tsx';

/** Pays with a card that is typed into Stripe's own form: its number never reaches us. */
export function NewCard(way: CardWay) {
  const { data: intent, error, isFetching, refetch } = usePreparedIntent(way.checkout.bidId);
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
  return <StripeForm clientSecret={intent.clientSecret} onAnother={() => refetch()} {...way} />;
}

interface StripeFormProps extends CardWay {
  readonly clientSecret: string;
  /** Called when the server has started another payment and this form's one is over. */
  readonly onAnother: () => void;
}

function StripeForm({ stripe, clientSecret, checkout, isBusy, onBusy, onPaid, onAnother }: StripeFormProps) {
  const createIntent = trpc.payments.createIntent.useMutation();
  const unchecked = useUncheckedCodes();
  const [keepCard, setKeepCard] = useState(false);
  /** Whether the provider was last told to save the card. */
  const isKeptAs = useRef(false);

  const prepare = async (elements: StripeElements): Promise<AttemptResult | null> => {
    if (keepCard === isKeptAs.current) return null;
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
    return null;
  };
  return (
    <CardForm
      stripe={stripe}
      clientSecret={clientSecret}
      isBusy={isBusy}
      onBusy={onBusy}
      onPaid={() => onPaid(clientSecret)}
      returnPath={paths.paymentResult(checkout.bidId)}
      prepare={prepare}
      button={(state) => <PayButton buyerTotal={checkout.buyerTotal} {...state} />}
    >
      <Checkbox
        checked={keepCard}
        onChange={(event) => setKeepCard(event.currentTarget.checked)}
        disabled={isBusy}
        label={t`Keep this card for next time`}
        description={t`Stripe stores it. You can remove it in your profile settings.`}
      />
    </CardForm>
  );
}
