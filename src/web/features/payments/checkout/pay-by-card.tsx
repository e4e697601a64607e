import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PaymentMethod } from '#contract/payments.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { expiryText, spokenCardName } from '../card-wording.ts';
import { usePaymentMethods } from '../queries.ts';
import classes from './checkout.module.css';
import { CardFormSkeleton } from './form-skeleton.tsx';
import { NewCard } from './new-card.tsx';
import { PaymentUnavailable } from './payment-unavailable.tsx';
import { SavedCard } from './saved-card.tsx';
import type { StripeSettings } from './stripe-script.ts';
import { useStripe } from './use-stripe.ts';
import type { CardWay, WayToPay } from './ways.ts';

const ANOTHER = 'another';

/** Pays with a card that was kept, or with another one. */
export function PayByCard({ settings, ...way }: WayToPay & { settings: StripeSettings }) {
  const { data: stripe, isError, isFetching, refetch } = useStripe(settings);
  const methods = usePaymentMethods();
  if (isError) return <PaymentUnavailable onRetry={() => refetch()} isRetrying={isFetching} />;
  if (!stripe || methods.isPending) return <CardFormSkeleton />;
  // Kept cards are a convenience: where they cannot be read, a card can still be typed.
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
        <legend>Pay with</legend>
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
                {spokenCardName(method)} {method.isDefault && <ToneBadge tone="info">Default</ToneBadge>}
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
          label="Use another card"
        />
      </fieldset>
      {chosen ? <SavedCard key={chosen.id} method={chosen} {...way} /> : <NewCard {...way} />}
    </Stack>
  );
}
