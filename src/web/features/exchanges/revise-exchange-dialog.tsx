import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { type Offer, OfferForm } from './offer-form.tsx';
import { updateErrorText, useReviseExchange } from './queries.ts';

interface ReviseExchangeDialogProps {
  readonly exchange: Exchange | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Lets the requester offer another coupon or say something else while the request is pending. */
export function ReviseExchangeDialog({ exchange, opened, onClose }: ReviseExchangeDialogProps) {
  const revise = useReviseExchange();

  const close = () => {
    revise.reset();
    onClose();
  };
  const submit = (exchange: Exchange, { offeredCouponId, message }: Offer) => {
    const change = {
      ...(offeredCouponId !== exchange.offeredCoupon.id && { offeredCouponId }),
      ...(message !== exchange.message && { message }),
    };
    if (Object.keys(change).length === 0) return close();
    revise.mutate(
      { id: exchange.id, ...change },
      {
        onSuccess: () => {
          toasts.success(TEXTS.exchanges.updated, `${exchange.requestedCouponOwnerUsername} will be told.`);
          close();
        },
        onError: (error) => {
          toasts.failure('Error', updateErrorText(error));
          // The exchange is no longer pending, so nothing can be saved.
          if (hasCode(error, 'deal_changed')) onClose();
        },
      },
    );
  };

  return (
    <Dialog opened={opened} onClose={close} title="Change offer" size="lg" isPending={revise.isPending}>
      {exchange && (
        <OfferForm
          requestedCouponId={exchange.requestedCoupon.id}
          receiver={exchange.requestedCouponOwnerUsername}
          current={{ coupon: exchange.offeredCoupon, message: exchange.message }}
          submitLabel="Save changes"
          error={revise.error}
          onSubmit={(offer) => submit(exchange, offer)}
        />
      )}
    </Dialog>
  );
}
