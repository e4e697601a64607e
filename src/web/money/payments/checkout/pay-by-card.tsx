import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Radio, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { PaymentMethod } from '#contract/money/payments.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { expiryText, spokenCardName } from '../card-wording.ts';
import { resultOf } from './card-form.tsx';
import classes from './checkout.module.css';
import { CardFormSkeleton, PaymentUnavailable } from './checkout-states.tsx';
import { NewCard } from './new-card.tsx';
import type { StripeSettings } from './stripe.ts';
import { useStripe } from './stripe.ts';
import type { CardWay, WayToPay } from './way-to-pay.tsx';
import { type AttemptResult, PayButton, usePaymentAttempt } from './way-to-pay.tsx';

const ANOTHER = 'another';

/** Pays with a saved card, or with another one. */
export function PayByCard({ settings, ...way }: WayToPay & { settings: StripeSettings }) {
  const { data: stripe, isError, isFetching, refetch } = useStripe(settings);
  const methods = trpc.payments.paymentMethods.useQuery();
  if (isError) return <PaymentUnavailable onRetry={() => refetch()} isRetrying={isFetching} />;
  if (!stripe || methods.isPending) return <CardFormSkeleton />;
  // If the saved cards cannot be loaded, a card can still be typed.
  const usable = (methods.data ?? []).filter((method) => !expiryText(method, new Date()).isExpired);
  return usable.length > 0 ? (
    <CardChoice methods={usable} stripe={stripe} {...way} />
  ) : (
    <NewCard stripe={stripe} {...way} />
  );
}

function CardChoice({ methods, ...way }: CardWay & { methods: readonly PaymentMethod[] }) {
  const preferred = methods.find(({ isDefault }) => isDefault);
  const [choice, setChoice] = useState(preferred ? String(preferred.id) : ANOTHER);
  const chosen = methods.find(({ id }) => String(id) === choice);
  return (
    <Stack gap="md">
      <fieldset className={classes.choices} disabled={way.isBusy}>
        <legend>
          <Trans>Pay with</Trans>
        </legend>
        {methods.map((method) => (
          <Radio
            key={method.id}
            name="card"
            value={String(method.id)}
            checked={chosen?.id === method.id}
            onChange={() => setChoice(String(method.id))}
            className={classes.choice}
            label={
              <>
                {spokenCardName(method)}{' '}
                {method.isDefault && (
                  <ToneBadge tone="info">
                    <Trans>Default</Trans>
                  </ToneBadge>
                )}
              </>
            }
            description={expiryText(method, new Date()).text}
          />
        ))}
        <Radio
          name="card"
          value={ANOTHER}
          checked={!chosen}
          onChange={() => setChoice(ANOTHER)}
          className={classes.choice}
          label={t`Use another card`}
        />
      </fieldset>
      {chosen ? <SavedCard key={chosen.id} method={chosen} {...way} /> : <NewCard {...way} />}
    </Stack>
  );
}

/** Pays with a saved card; the bank may ask the buyer to confirm. */
function SavedCard({
  method,
  stripe,
  checkout,
  isBusy,
  onBusy,
  onPaid,
}: CardWay & { method: PaymentMethod }) {
  const payWithCard = trpc.payments.payWithCard.useMutation();
  const unchecked = useUncheckedCodes();
  const { failure, attempt } = usePaymentAttempt(onBusy);

  const pay = async (): Promise<AttemptResult> => {
    try {
      const paid = await payWithCard.mutateAsync({
        bidId: checkout.bidId,
        paymentMethodId: method.id,
        ...unchecked.acknowledged(checkout.bidId),
      });
      const { clientSecret } = paid;
      const result: AttemptResult =
        paid.status === 'requires_action'
          ? resultOf(await stripe.handleNextAction({ clientSecret }))
          : { isPaid: true };
      if (result.isPaid) onPaid(clientSecret);
      return result;
    } catch (error) {
      unchecked.note(error, checkout.bidId);
      return { isPaid: false, message: writeErrorText(error, TEXTS.checkout.failedText()) };
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(pay);
  };
  return (
    <form onSubmit={submit}>
      <PayButton buyerTotal={checkout.buyerTotal} isBusy={isBusy} failure={failure} />
    </form>
  );
}
