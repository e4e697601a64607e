import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { PayPalButtons, PayPalScriptProvider, usePayPalScriptReducer } from '@paypal/react-paypal-js';
import { useRef, useState } from 'react';
import { baseCurrency, moneyText } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { PaymentClient } from '#contract/money/payments.ts';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { pageConfig } from '#web/lib/page-config.ts';
import { trpc } from '#web/lib/trpc.ts';
import { PaymentUnavailable } from './checkout-states.tsx';
import type { WayToPay } from './way-to-pay.tsx';
import { useIsLate, usePaymentAttempt } from './way-to-pay.tsx';

type PaypalSettings = NonNullable<PaymentClient['paypal']>;

/** Pays through PayPal's own buttons and window. */
export function PayByPaypal({ settings, ...way }: WayToPay & { settings: PaypalSettings }) {
  // A new script provider loads the script again.
  const [load, setLoad] = useState(1);
  return (
    <PayPalScriptProvider key={load} options={scriptOptions(settings, load)}>
      <PaypalForm {...way} onReload={() => setLoad(load + 1)} />
    </PayPalScriptProvider>
  );
}

/** The options in their order make up the script's address. */
function scriptOptions({ clientId, attributionId, sdkBaseUrl }: PaypalSettings, load: number) {
  const nonce = pageConfig.nonce();
  const kind = { currency: baseCurrency(), intent: 'capture', components: 'buttons' };
  return {
    // Browsers share requests for one address: if the first hangs, so does the second.
    ...(load % 2 === 0 ? { ...kind, clientId } : { clientId, ...kind }),
    ...(attributionId && { dataPartnerAttributionId: attributionId }),
    ...(sdkBaseUrl && { sdkBaseUrl }),
    // Our pages allow PayPal's inline styles with this nonce only.
    ...(nonce && { dataCspNonce: nonce }),
  };
}

function PaypalForm({ checkout, isBusy, onBusy, onPaid, onReload }: WayToPay & { onReload: () => void }) {
  const { bidId, buyerTotal } = checkout;
  const [{ isPending, isRejected }] = usePayPalScriptReducer();
  const isLate = useIsLate(isPending);
  const createOrder = trpc.payments.createPaypalOrder.useMutation();
  const unchecked = useUncheckedCodes();
  const capture = trpc.payments.capturePaypalOrder.useMutation();
  const { failure, attempt } = usePaymentAttempt(onBusy);
  /** Our server's refusal: PayPal does not always pass the reason on. */
  const refusal = useRef<unknown>(null);

  if (isRejected || isLate) return <PaymentUnavailable onRetry={onReload} />;
  if (isPending) {
    return (
      <div role="status" aria-label={t`PayPal is loading`} aria-busy="true">
        <Skeleton height={20} width="80%" mb="md" />
        <Skeleton height={48} radius="xl" />
      </div>
    );
  }
  return (
    <Stack gap="md" aria-busy={isBusy}>
      <Text>
        <Trans>PayPal opens in its own window and charges {moneyText(buyerTotal)}.</Trans>
      </Text>
      {failure && <Text c="var(--mantine-color-error)">{failure}</Text>}
      <PayPalButtons
        style={{ layout: 'vertical', shape: 'pill', height: 48 }}
        disabled={isBusy}
        createOrder={async () => {
          refusal.current = null;
          try {
            return (await createOrder.mutateAsync({ bidId, ...unchecked.acknowledged(bidId) })).orderId;
          } catch (error) {
            refusal.current = error;
            unchecked.note(error, bidId);
            throw error;
          }
        }}
        onApprove={async () => {
          await attempt(async () => {
            try {
              await capture.mutateAsync({ bidId });
            } catch (error) {
              return { isPaid: false, message: writeErrorText(error, TEXTS.checkout.failedText()) };
            }
            onPaid(null);
            return { isPaid: true };
          });
        }}
        onError={() => {
          const message = refusal.current ? writeErrorText(refusal.current, '') : '';
          void attempt(async () => ({ isPaid: false, message }));
        }}
      />
    </Stack>
  );
}
