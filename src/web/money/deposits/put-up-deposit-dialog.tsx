import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useEffect, useState } from 'react';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { CardForm } from '#web/money/payments/checkout/card-form.tsx';
import {
  CardFormSkeleton,
  isUnavailable,
  PaymentUnavailable,
} from '#web/money/payments/checkout/checkout-states.tsx';
import { SandboxNotice } from '#web/money/payments/checkout/sandbox-notice.tsx';
import { useStripe } from '#web/money/payments/checkout/stripe.ts';

/** Puts up the viewer's deposit for an exchange by card. */
export function Component({ exchangeId, amount }: { exchangeId: number; amount: string }) {
  const [isBusy, onBusy] = useState(false);
  const { close } = use(DialogPlace);
  const { client } = trpc.useUtils();
  const refresh = trpc.deposits.refresh.useMutation();
  const pages = trpc.payments.client.useQuery(undefined, { staleTime: 'static' });
  const stripe = useStripe(pages.data?.stripe ?? null);
  const intent = useQuery({
    queryKey: ['prepared-deposit', exchangeId],
    queryFn: () => client.deposits.createIntent.mutate({ exchangeId }),
    ...{ staleTime: 'static', gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  const problem = intent.error && !isUnavailable(intent.error) ? writeErrorText(intent.error, '') : null;
  useEffect(() => {
    if (problem === null) return;
    toasts.failure(t`Deposit not put up`, problem);
    close();
  }, [problem, close]);
  const paid = async () => {
    try {
      await refresh.mutateAsync({ exchangeId });
      toasts.success(t`Deposit put up`, t`${moneyText(amount)} is reserved on your card, and not taken.`);
    } catch {
      toasts.neutral(t`Deposit on its way`, t`We check it with the card provider. This takes a moment.`);
    }
    close();
  };
  const hasNoStripe = pages.data !== undefined && pages.data.stripe === null;
  const isBroken = hasNoStripe || pages.isError || stripe.isError || isUnavailable(intent.error);
  const retry = () => {
    void pages.refetch();
    void stripe.refetch();
    void intent.refetch();
  };
  return (
    <Dialog title={t`Put up your deposit`} size="lg" isPending={isBusy}>
      {pages.data?.isSandbox && <SandboxNotice />}
      <Text mb="md">
        {t`We reserve ${moneyText(amount)} on your card for at most ${DEPOSIT_LAPSE_DAYS} days. We take it only if someone claims that a code you gave does not work, and pay it to them if the claim is upheld. Otherwise we release it.`}
      </Text>
      {isBroken ? (
        <PaymentUnavailable onRetry={retry} isRetrying={intent.isFetching || pages.isFetching} />
      ) : !stripe.data || !intent.data ? (
        <CardFormSkeleton />
      ) : (
        <CardForm
          stripe={stripe.data}
          clientSecret={intent.data.clientSecret}
          isBusy={isBusy}
          onBusy={onBusy}
          onPaid={() => void paid()}
          returnPath={paths.exchange(exchangeId)}
          button={({ isDisabled, failure }) => (
            <>
              {failure && <Text c="var(--mantine-color-error)">{failure}</Text>}
              <DialogFooter
                cancelLabel={t`Not now`}
                submitLabel={t`Put up ${moneyText(amount)}`}
                isDisabled={isDisabled}
              />
            </>
          )}
        />
      )}
    </Dialog>
  );
}
