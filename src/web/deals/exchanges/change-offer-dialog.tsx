import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals/deals.ts';
import type { Exchange, Money } from '#contract/deals/exchanges.ts';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { pricedLegs, seenPrices } from './money.ts';
import { type Offer, OfferDialog } from './offer-dialog.tsx';
import { updateErrorText } from './queries.ts';
import { couponsOf } from './sides.ts';

interface ChangeOfferDialogProps {
  readonly exchange: Exchange;
  /** Revise changes the viewer's own offer, counter answers the other person's. */
  readonly act: 'revise' | 'counter';
  /** Called with the next round. */
  readonly onCountered: (exchange: Exchange) => void;
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/** The money of a swap as the viewer would offer it. */
function moneyOf(exchange: Exchange, viewerId: number): Money | null {
  const [leg] = pricedLegs(exchange);
  return leg ? { payer: leg.receiverId === viewerId ? 'author' : 'other', amount: leg.price.amount } : null;
}

const isSameMoney = (one: Money | null, other: Money | null) =>
  one?.payer === other?.payer && one?.amount === other?.amount;

/** Lets the author of a pending request change it, and the other person answer it with a counter-offer. */
export function Component({ exchange, act, onCountered }: ChangeOfferDialogProps) {
  const viewer = useMember();
  const revise = trpc.exchanges.revise.useMutation();
  const counter = trpc.exchanges.counter.useMutation();
  const isCounter = act === 'counter';
  const { gives, gets } = couponsOf(exchange, viewer.id);
  const other = exchange.parties.find(({ id }) => id !== viewer.id);
  const money = moneyOf(exchange, viewer.id);
  const owner = { id: other?.id ?? 0, username: other?.username ?? '' };
  /** Null where nothing was changed. */
  const send = async (offer: Offer) => {
    const [given, got] = [gives.map(({ id }) => id), gets.map(({ id }) => id)];
    if (isCounter) {
      const seen = { couponIds: [...given, ...got], prices: seenPrices(exchange) };
      return counter.mutateAsync({ id: exchange.id, ...offer, ...seen });
    }
    const change = {
      ...(!isSame(offer.requestedCouponIds, got) && { requestedCouponIds: offer.requestedCouponIds }),
      ...(!isSame(offer.offeredCouponIds, given) && { offeredCouponIds: offer.offeredCouponIds }),
      ...(!isSameMoney(offer.money, money) && { money: offer.money }),
      ...(offer.deposit !== exchange.deposit && { deposit: offer.deposit }),
      ...(offer.message !== exchange.message && { message: offer.message }),
    };
    return Object.keys(change).length === 0 ? null : revise.mutateAsync({ id: exchange.id, ...change });
  };
  return (
    <OfferDialog
      title={isCounter ? t`Make a counter-offer` : t`Change request`}
      owner={owner}
      requested={gets}
      offered={gives}
      money={money}
      deposit={exchange.deposit}
      message={isCounter ? null : exchange.message}
      submitLabel={isCounter ? t`Send round ${exchange.round + 1} of ${ROUNDS_MAX}` : t`Save changes`}
      mutation={{ mutateAsync: send, isPending: revise.isPending || counter.isPending }}
      done={(next) => {
        if (isCounter)
          return [t`Counter-offer sent`, t`${owner.username} has ${COUNTER_HOURS} hours to answer.`];
        return next && [TEXTS.exchanges.updated(), t`${owner.username} will be told.`];
      }}
      onDone={(next) => isCounter && next && onCountered(next)}
      failed={(error) => [
        t`Error`,
        hasCode(error, 'bad_input')
          ? t`Change a coupon, the money or the deposit, or accept the offer.`
          : updateErrorText(error),
      ]}
      closesOn={(error) => hasCode(error, 'deal_changed')}
    />
  );
}
