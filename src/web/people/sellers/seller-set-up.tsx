import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { ErrorState } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import classes from './provider-card.module.css';
import { ProviderCard } from './provider-card.tsx';
import { usePaypalSetUp, useReturn, useSellerAccounts, useStripeSetUp } from './set-up.ts';
import { feeExample, feeText, refreshText, returnText } from './wording.ts';

/** The payment providers with the viewer's accounts, and the fees. */
export function SellerSetUp() {
  const back = useReturn();
  const { stripe, paypal } = useSellerAccounts(back?.kind === 'returned' ? back.provider : null);
  const stripeSetUp = useStripeSetUp();
  const paypalSetUp = usePaypalSetUp();
  const failed = [stripe, paypal].find(({ error, data }) => error && !data);
  if (failed?.error) {
    const retry = () => {
      void stripe.refetch();
      void paypal.refetch();
    };
    return (
      <ErrorState
        title={t`Error loading your payment accounts`}
        message={readErrorText(failed.error)}
        onRetry={retry}
        isRetrying={stripe.isFetching || paypal.isFetching}
      />
    );
  }
  if (!stripe.data || !paypal.data) return <SellerSetUpSkeleton />;
  if (!stripe.data.isAvailable && !paypal.data.isAvailable) {
    return (
      <Alert color="gray" role="note" title={TEXTS.checkout.unavailable()}>
        <Trans>You cannot set up accounts here right now. You can still exchange coupons.</Trans>
      </Alert>
    );
  }
  const primary = primaryOf(stripe.data, paypal.data);
  return (
    <div>
      <Outcome back={back} accounts={{ stripe, paypal }} />
      <div className={classes.cards}>
        <ProviderCard
          provider="stripe"
          status={stripe.data}
          isFetching={stripe.isFetching}
          setUp={stripeSetUp}
          isPrimary={primary === 'stripe'}
        />
        <ProviderCard
          provider="paypal"
          status={paypal.data}
          isFetching={paypal.isFetching}
          setUp={paypalSetUp}
          isPrimary={primary === 'paypal'}
          opensWindow
          alerts={
            paypal.data.status?.primary_email_confirmed === false && (
              <Alert color="yellow" role="note" title={t`Email address not confirmed`}>
                <Trans>
                  Confirm the email address of your PayPal account in its settings. Buyers cannot pay you
                  until you do.
                </Trans>
              </Alert>
            )
          }
        />
      </div>
      <Text mt="lg">{feeText(feeRatesNow())}</Text>
      <Text c="dimmed">{feeExample(feeRatesNow())}</Text>
      <Anchor component={Link} to={paths.sellerStatement} className="target">
        <Trans>Your monthly statement</Trans>
      </Anchor>
    </div>
  );
}

interface Account {
  readonly data?: { isAvailable: boolean; badge: string } | undefined;
}

/** The account with the primary button: a started one, else the first; null if one is ready. */
function primaryOf(
  stripe: NonNullable<Account['data']>,
  paypal: NonNullable<Account['data']>,
): PaymentProviderName | null {
  const accounts = [
    { name: 'stripe', ...stripe },
    { name: 'paypal', ...paypal },
  ] as const;
  const usable = accounts.filter(({ isAvailable }) => isAvailable);
  if (usable.some(({ badge }) => badge === 'active')) return null;
  return (usable.find(({ badge }) => badge === 'action_required') ?? usable[0])?.name ?? null;
}

interface OutcomeProps {
  readonly back: ReturnType<typeof useReturn>;
  readonly accounts: ReturnType<typeof useSellerAccounts>;
}

/** The result of a visit to a provider's pages, by the provider's own status. */
function Outcome({ back, accounts }: OutcomeProps) {
  const account = back && accounts[back.provider];
  const isKnown = account?.isFetchedAfterMount && account.data;
  const words =
    back?.kind === 'refresh'
      ? refreshText(back.provider)
      : back && account?.data && isKnown
        ? returnText(back.provider, account.data)
        : null;
  return (
    <div role="status">
      {words && (
        <Alert color={words.color} title={words.title} role="group" mb="lg">
          {words.text}
        </Alert>
      )}
    </div>
  );
}

function SellerSetUpSkeleton() {
  return (
    <Stack gap="lg" aria-hidden="true">
      <div className={classes.cards}>
        {['stripe', 'paypal'].map((provider) => (
          <Surface key={provider} p={20}>
            <Skeleton height={26} width={110} mb="md" />
            <Skeleton height={14} mb={10} />
            <Skeleton height={14} mb={10} />
            <Skeleton height={14} width="60%" mb="lg" />
            <Skeleton height={36} width={140} radius="xl" />
          </Surface>
        ))}
      </div>
      <Skeleton height={14} width="70%" />
    </Stack>
  );
}
