import { Container } from '@mantine/core';
import { defineAddress, keyed, openedId, plainText } from '#contract/base/address.ts';
import { useAddress } from '#web/lib/address.ts';
import { usePaymentOutcome } from '#web/money/payments/checkout/payment-outcome.ts';
import { PaymentResult } from '#web/money/payments/checkout/payment-result.tsx';
import { useBought } from '#web/money/payments/just-bought.tsx';

const ADDRESS = defineAddress({
  bid: openedId,
  clientSecret: keyed('payment_intent_client_secret', plainText),
  paypal: plainText,
});

/** The result of a payment, opened by the checkout or by the bank's page. */
export function Component() {
  const [{ bid, clientSecret, paypal }] = useAddress(ADDRESS);
  const bidId = typeof bid === 'number' ? bid : null;
  const outcome = usePaymentOutcome({
    // An empty secret counts as a missing one.
    clientSecret: clientSecret || null,
    bidId,
    isPaypal: paypal === '1',
  });
  const bought = useBought(outcome.kind === 'success' ? bidId : null);
  return (
    <Container size="sm" py={{ base: 24, sm: 40 }}>
      <PaymentResult outcome={outcome} bidId={bidId} bought={bought} />
    </Container>
  );
}
