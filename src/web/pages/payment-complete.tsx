import { Container } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { idSchema } from '#contract/primitives.ts';
import { PaymentResult } from '#web/features/payments/checkout/payment-result.tsx';
import { usePaymentOutcome } from '#web/features/payments/checkout/use-payment-outcome.ts';

/** Where a payment leads to, by itself or through the bank's own page. */
export function Component() {
  const [params] = useSearchParams();
  const bidId = idSchema.safeParse(Number(params.get('bid') ?? '')).data ?? null;
  const outcome = usePaymentOutcome({
    // An empty one says as little as none.
    clientSecret: params.get('payment_intent_client_secret') || null,
    bidId,
    isPaypal: params.get('paypal') === '1',
  });
  return (
    <Container size="sm" py={{ base: 24, sm: 40 }}>
      <PaymentResult outcome={outcome} bidId={bidId} />
    </Container>
  );
}
