import type { FormEvent } from 'react';
import type { PaymentMethod } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { usePayWithCard } from '../queries.ts';
import { PayButton } from './pay-button.tsx';
import { resultOf } from './stripe-result.ts';
import { type AttemptResult, usePaymentAttempt } from './use-payment-attempt.ts';
import type { CardWay } from './ways.ts';

/** Pays with a card that was kept; the bank may ask for the buyer's word. */
export function SavedCard({
  method,
  stripe,
  checkout,
  isBusy,
  onBusy,
  onPaid,
}: CardWay & { method: PaymentMethod }) {
  const payWithCard = usePayWithCard();
  const { failure, attempt } = usePaymentAttempt(onBusy);

  const pay = async (): Promise<AttemptResult> => {
    try {
      const paid = await payWithCard.mutateAsync({ bidId: checkout.bidId, paymentMethodId: method.id });
      const { clientSecret } = paid;
      const result: AttemptResult =
        paid.status === 'requires_action'
          ? resultOf(await stripe.handleNextAction({ clientSecret }))
          : { isPaid: true };
      if (result.isPaid) onPaid(clientSecret);
      return result;
    } catch (error) {
      return { isPaid: false, message: writeErrorText(error, TEXTS.checkout.failedText) };
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
