import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Bid } from '#contract/bids.ts';
import { paths } from '#contract/pages.ts';
import type { Checkout, PaymentClient } from '#contract/payments.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { useCheckout, usePaidBid, usePaymentClient } from '../queries.ts';
import classes from './checkout.module.css';
import { checkoutProblem, isUnavailable } from './checkout-problem.ts';
import { CheckoutSkeleton } from './checkout-skeleton.tsx';
import { OrderSummary } from './order-summary.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { PaymentProblem } from './payment-problem.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import { PaymentUnavailable } from './payment-unavailable.tsx';
import { SandboxNotice } from './sandbox-notice.tsx';

/** Pays for a bid: what it costs on one side, how to pay it on the other. */
export function CheckoutScreen({ bidId }: { bidId: number }) {
  const { user } = useViewer();
  const bid = usePaidBid(bidId);
  const checkout = useCheckout(bidId);
  const client = usePaymentClient();
  const [setupProblem, setSetupProblem] = useState<string | null>(null);

  const problem =
    setupProblem ??
    checkoutProblem({
      viewerId: user?.id,
      bid: bid.data,
      // Which of the two answers arrives first must not decide what is said.
      bidError: checkout.isPending ? null : bid.error,
      checkoutError: bid.isPending ? null : checkout.error,
    });
  if (problem !== null) return <PaymentProblem text={problem} />;

  const retry = () => {
    if (checkout.isError) void checkout.refetch();
    if (client.isError) void client.refetch();
  };
  const isRetrying = checkout.isFetching || client.isFetching;
  if (isUnavailable(checkout.error) || client.isError) {
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
        // PayPal has no secret for the browser: the server alone is asked.
        paths.paymentResult(
          bid.id,
          clientSecret === null ? { paypal: 1 } : { payment_intent_client_secret: clientSecret },
        ),
        // Back from the result must not lead to a form for what is paid.
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
          <div className={`${classes.card} ${classes.payment}`}>
            <PaymentUnavailable onRetry={onReload} isRetrying={isReloading} />
          </div>
        )}
        <PaymentSteps bid={bid} buyerTotal={checkout.buyerTotal} />
      </div>
    </>
  );
}
