import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { type Offer, OfferForm } from './offer-form.tsx';
import { updateErrorText, useCounterExchange, useReviseExchange } from './queries.ts';
import { couponsOf, otherParties } from './sides.ts';

/** Another offer in a pending exchange. */
export interface ChangeRequest {
  exchange: Exchange;
  /** Revise changes the viewer's own offer, counter answers the other person's. */
  act: 'revise' | 'counter';
}

interface ChangeOfferDialogProps {
  readonly request: ChangeRequest | undefined;
  readonly opened: boolean;
  readonly viewerId: number;
  readonly onClose: () => void;
  /** Called with the next round. */
  readonly onCountered: (exchange: Exchange) => void;
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Lets the author of a pending request change it, and the other person answer it with a counter-offer. */
export function ChangeOfferDialog(props: ChangeOfferDialogProps) {
  const { request, opened, viewerId, onClose, onCountered } = props;
  const revise = useReviseExchange();
  const counter = useCounterExchange();
  const isCounter = request?.act === 'counter';

  const close = () => {
    revise.reset();
    counter.reset();
    onClose();
  };
  const submit = ({ exchange, act }: ChangeRequest, offer: Offer) => {
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
    if (act === 'counter') {
      const onSuccess = (next: Exchange) => {
        toasts.success('Counter-offer sent', `${other} has ${COUNTER_HOURS} hours to answer.`);
        close();
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
    if (Object.keys(change).length === 0) return close();
    const onSuccess = () => {
      toasts.success(TEXTS.exchanges.updated, `${other} will be told.`);
      close();
    };
    revise.mutate({ id: exchange.id, ...change }, { onSuccess, onError });
  };

  const title = isCounter ? 'Make a counter-offer' : 'Change offer';
  const isPending = revise.isPending || counter.isPending;
  return (
    <Dialog opened={opened} onClose={close} title={title} size="lg" isPending={isPending}>
      {request && (
        <OfferForm
          key={`${request.act}-${request.exchange.id}`}
          {...formOf(request, viewerId)}
          submitLabel={
            isCounter ? `Send round ${request.exchange.round + 1} of ${ROUNDS_MAX}` : 'Save changes'
          }
          error={isCounter ? counter.error : revise.error}
          onSubmit={(offer) => submit(request, offer)}
        />
      )}
    </Dialog>
  );
}

/** The form as the present offer fills it. */
function formOf({ exchange, act }: ChangeRequest, viewerId: number) {
  const { gives, gets } = couponsOf(exchange, viewerId);
  const other = exchange.parties.find(({ id }) => id !== viewerId);
  return {
    owner: { id: other?.id ?? 0, username: other?.username ?? '' },
    requested: gets,
    offered: gives,
    message: act === 'revise' ? exchange.message : null,
  };
}
