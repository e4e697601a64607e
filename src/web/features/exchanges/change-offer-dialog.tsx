import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { type Offer, OfferForm } from './offer-form.tsx';
import { updateErrorText, useCounterExchange, useReviseExchange } from './queries.ts';
import { couponsOf, otherParties } from './sides.ts';

interface ChangeOfferDialogProps {
  readonly exchange: Exchange;
  /** Revise changes the viewer's own offer, counter answers the other person's. */
  readonly act: 'revise' | 'counter';
  /** Called with the next round. */
  readonly onCountered: (exchange: Exchange) => void;
  readonly onClose: () => void;
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Lets the author of a pending request change it, and the other person answer it with a counter-offer. */
export function Component({ exchange, act, onCountered, onClose }: ChangeOfferDialogProps) {
  const viewerId = useMember().id;
  const revise = useReviseExchange();
  const counter = useCounterExchange();
  const isCounter = act === 'counter';
  const submit = (offer: Offer) => {
    const { gives, gets } = couponsOf(exchange, viewerId);
    const [given, got] = [gives.map(({ id }) => id), gets.map(({ id }) => id)];
    const onError = (error: unknown) => {
      toasts.failure(
        'Error',
        hasCode(error, 'bad_input') ? 'Change a coupon, or accept the offer.' : updateErrorText(error),
      );
      // The exchange is no longer pending, so nothing can be saved.
      if (hasCode(error, 'deal_changed')) onClose();
    };
    const other = otherParties(exchange, viewerId);
    if (isCounter) {
      const onSuccess = (next: Exchange) => {
        toasts.success('Counter-offer sent', `${other} has ${COUNTER_HOURS} hours to answer.`);
        onClose();
        onCountered(next);
      };
      counter.mutate({ id: exchange.id, ...offer, couponIds: [...given, ...got] }, { onSuccess, onError });
      return;
    }
    const change = {
      ...(!isSame(offer.requestedCouponIds, got) && { requestedCouponIds: offer.requestedCouponIds }),
      ...(!isSame(offer.offeredCouponIds, given) && { offeredCouponIds: offer.offeredCouponIds }),
      ...(offer.message !== exchange.message && { message: offer.message }),
    };
    if (Object.keys(change).length === 0) return onClose();
    const onSuccess = () => {
      toasts.success(TEXTS.exchanges.updated, `${other} will be told.`);
      onClose();
    };
    revise.mutate({ id: exchange.id, ...change }, { onSuccess, onError });
  };

  return (
    <Dialog
      title={isCounter ? 'Make a counter-offer' : 'Change offer'}
      size="lg"
      isPending={revise.isPending || counter.isPending}
    >
      <OfferForm
        {...formOf(exchange, viewerId)}
        message={isCounter ? null : exchange.message}
        submitLabel={isCounter ? `Send round ${exchange.round + 1} of ${ROUNDS_MAX}` : 'Save changes'}
        error={isCounter ? counter.error : revise.error}
        onSubmit={submit}
      />
    </Dialog>
  );
}

/** The form as the present offer fills it. */
function formOf(exchange: Exchange, viewerId: number) {
  const { gives, gets } = couponsOf(exchange, viewerId);
  const other = exchange.parties.find(({ id }) => id !== viewerId);
  return {
    owner: { id: other?.id ?? 0, username: other?.username ?? '' },
    requested: gets,
    offered: gives,
  };
}
