import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs, Title } from '@mantine/core';
import { IconBrandPaypal, IconCreditCard } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Checkout, PaymentClient } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { Surface } from '#web/components/surface.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { useCheckout, usePaidBid } from '../queries.ts';
import classes from './checkout.module.css';
import {
  CheckoutSkeleton,
  checkoutProblem,
  isUnavailable,
  PaymentProblem,
  PaymentUnavailable,
} from './checkout-states.tsx';
import { OrderSummary, PaymentSteps } from './order-summary.tsx';
import { PayByCard } from './pay-by-card.tsx';
import { PayByPaypal } from './pay-by-paypal.tsx';
import { SandboxNotice } from './sandbox-notice.tsx';
import type { WayToPay } from './way-to-pay.tsx';

/** The checkout of a bid: the order summary and the ways to pay. */
export function CheckoutScreen({ bidId }: { bidId: number }) {
  const { id: viewerId } = useMember();
  const bid = usePaidBid(bidId);
  const checkout = useCheckout(bidId);
  const client = trpc.payments.client.useQuery(undefined, { staleTime: 'static' });
  const [setupProblem, setSetupProblem] = useState<string | null>(null);

  const problem =
    setupProblem ??
    checkoutProblem({
      viewerId,
      bid: bid.data,
      // Wait for both answers, so that their order does not decide the text.
      bidError: checkout.isPending ? null : bid.error,
      checkoutError: bid.isPending ? null : checkout.error,
    });
  if (problem !== null) return <PaymentProblem text={problem} />;

  const retry = () => {
    if (bid.isError) void bid.refetch();
    if (checkout.isError) void checkout.refetch();
    if (client.isError) void client.refetch();
  };
  const isRetrying = bid.isFetching || checkout.isFetching || client.isFetching;
  if (isUnavailable(bid.error) || isUnavailable(checkout.error) || client.isError) {
    return <PaymentUnavailable onRetry={retry} isRetrying={isRetrying} />;
  }
  if (!bid.data || !checkout.data || !client.data) return <CheckoutSkeleton />;
  return (
    <Payment
      bid={bid.data}
      checkout={checkout.data}
      client={client.data}
      onProblem={setSetupProblem}
      onReload={() => void Promise.all([checkout.refetch(), client.refetch()])}
      isReloading={isRetrying}
    />
  );
}

interface PaymentProps {
  readonly bid: Bid;
  readonly checkout: Checkout;
  readonly client: PaymentClient;
  readonly onProblem: (text: string) => void;
  readonly onReload: () => void;
  readonly isReloading: boolean;
}

function Payment({ bid, checkout, client, onProblem, onReload, isReloading }: PaymentProps) {
  const navigate = useNavigate();
  const providers = checkout.providers.filter((provider) => client[provider] !== null);
  const paid = useCallback(
    (clientSecret: string | null) =>
      void navigate(
        // PayPal has no secret for the browser: the result page asks our server.
        paths.paymentResult(
          bid.id,
          clientSecret === null ? { paypal: 1 } : { payment_intent_client_secret: clientSecret },
        ),
        // The browser's Back must not lead to the form of a paid bid.
        { replace: true },
      ),
    [navigate, bid.id],
  );
  return (
    <>
      {client.isSandbox && <SandboxNotice />}
      <div className={classes.columns}>
        <OrderSummary bid={bid} checkout={checkout} />
        {providers.length > 0 ? (
          <PaymentPanel
            checkout={checkout}
            client={client}
            providers={providers}
            onPaid={paid}
            onProblem={onProblem}
          />
        ) : (
          <Surface gap={16} className={`${classes.card} ${classes.payment}`}>
            <PaymentUnavailable onRetry={onReload} isRetrying={isReloading} />
          </Surface>
        )}
        <PaymentSteps bid={bid} checkout={checkout} />
      </div>
    </>
  );
}

interface PaymentPanelProps extends Pick<WayToPay, 'checkout' | 'onPaid' | 'onProblem'> {
  readonly client: PaymentClient;
  /** The providers that both the seller and this installation have: at least one. */
  readonly providers: readonly PaymentProviderName[];
}

/** The ways to pay: by card, by PayPal, or a choice of the two. */
function PaymentPanel({ client, providers, ...given }: PaymentPanelProps) {
  const [isBusy, onBusy] = useState(false);
  const way = { ...given, isBusy, onBusy };
  const byCard = client.stripe && providers.includes('stripe') && (
    <PayByCard settings={client.stripe} {...way} />
  );
  const byPaypal = client.paypal && providers.includes('paypal') && (
    <PayByPaypal settings={client.paypal} {...way} />
  );
  return (
    <Surface
      component="section"
      gap={16}
      className={`${classes.card} ${classes.payment}`}
      aria-labelledby="payment-title"
    >
      <Title order={2} size="h4" id="payment-title">
        <Trans>Payment</Trans>
      </Title>
      {byCard && byPaypal ? (
        <Tabs
          defaultValue="stripe"
          keepMounted={false}
          classNames={{ tab: classes.tab, tabLabel: classes.tabLabel }}
        >
          <Tabs.List grow mb="md" aria-label={t`Ways to pay`}>
            <Tabs.Tab
              value="stripe"
              disabled={isBusy}
              leftSection={<IconCreditCard size={20} aria-hidden="true" />}
            >
              <Trans>Card</Trans>
            </Tabs.Tab>
            <Tabs.Tab
              value="paypal"
              disabled={isBusy}
              leftSection={<IconBrandPaypal size={20} aria-hidden="true" />}
            >
              <Trans>PayPal</Trans>
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="stripe">{byCard}</Tabs.Panel>
          <Tabs.Panel value="paypal">{byPaypal}</Tabs.Panel>
        </Tabs>
      ) : (
        byCard || byPaypal
      )}
    </Surface>
  );
}
