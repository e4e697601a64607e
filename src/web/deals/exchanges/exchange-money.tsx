import { t } from '@lingui/core/macro';
import { moneyText } from '#contract/base/money.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { Facts } from '#web/components/facts.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { type PricedLeg, pricedLegs } from './money.ts';

/** Who pays whom how much besides, and whether it is paid; nothing where nobody pays. */
export function ExchangeMoney({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const legs = pricedLegs(exchange);
  if (legs.length === 0) return null;
  return (
    <Facts
      layout="columns"
      aria-label={t`Money`}
      facts={legs.map((leg) => ({ name: nameOf(leg, viewerId), value: amountText(leg, viewerId, exchange) }))}
    />
  );
}

/** 'You pay Theo' */
function nameOf(
  { giverId, giverUsername, receiverId, receiverUsername }: PricedLeg,
  viewerId: number,
): string {
  if (receiverId === viewerId) return t`You pay ${giverUsername}`;
  return giverId === viewerId
    ? t`${receiverUsername} pays you`
    : t`${receiverUsername} pays ${giverUsername}`;
}

/** '$20.00, with the fee $21.00. Paid on 3 May.' */
function amountText(
  { price, giverId, receiverId }: PricedLeg,
  viewerId: number,
  { status }: Exchange,
): string {
  const amount = moneyText(price.amount);
  const withFees =
    receiverId === viewerId
      ? t`${amount}, with the fee ${moneyText(price.buyerTotal)}.`
      : giverId === viewerId
        ? t`${amount}, after the fee ${moneyText(price.netAmount)}.`
        : `${amount}.`;
  if (price.paidAt !== null) return t`${withFees} Paid on ${formatDateTime(price.paidAt)}.`;
  return status === 'accepted' ? t`${withFees} Not paid yet.` : withFees;
}
