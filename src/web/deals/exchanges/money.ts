import { t } from '@lingui/core/macro';
import { listed } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';

type Price = NonNullable<Exchange['legs'][number]['price']>;

/** What somebody pays somebody else in an exchange, besides the coupons. */
export type PricedLeg = Exchange['legs'][number] & { readonly price: Price };

/** The legs with a price. */
export function pricedLegs({ legs }: Pick<Exchange, 'legs'>): PricedLeg[] {
  return legs.flatMap((leg) => (leg.price ? [{ ...leg, price: leg.price }] : []));
}

/** The prices as the viewer sees them, for a call that agrees to them. */
export function seenPrices(exchange: Pick<Exchange, 'legs'>): { couponId: number; amount: string }[] {
  return pricedLegs(exchange).map(({ coupon, price }) => ({ couponId: coupon.id, amount: price.amount }));
}

/** 'You pay Theo $20.00 besides, $21.00 with the fee.' */
function priceSentence({ price, giverId, receiverId, ...leg }: PricedLeg, viewerId: number): string {
  const amount = moneyText(price.amount);
  if (receiverId === viewerId) {
    return t`You also pay ${leg.giverUsername} ${amount}, ${moneyText(price.buyerTotal)} with the fee.`;
  }
  return giverId === viewerId
    ? t`${leg.receiverUsername} also pays you ${amount}, ${moneyText(price.netAmount)} after the fee.`
    : t`${leg.receiverUsername} also pays ${leg.giverUsername} ${amount}.`;
}

/** Who pays whom how much besides, the viewer first; '' where nobody pays. */
export function moneySentences(exchange: Pick<Exchange, 'legs'>, viewerId: number): string {
  const legs = pricedLegs(exchange);
  const isOwn = ({ giverId, receiverId }: PricedLeg) => [giverId, receiverId].includes(viewerId);
  const ordered = [...legs.filter(isOwn), ...legs.filter((leg) => !isOwn(leg))];
  return ordered.map((leg) => priceSentence(leg, viewerId)).join(' ');
}

/** What the viewer has to pay now; undefined if nothing, or if the other cannot be paid yet. */
export function payableLeg(
  exchange: Pick<Exchange, 'legs' | 'status'>,
  viewerId: number,
): (PricedLeg & { readonly bidId: number }) | undefined {
  if (exchange.status !== 'accepted') return undefined;
  const [leg] = pricedLegs(exchange).flatMap((one) => {
    const { bidId, paidAt, isGiverReady } = one.price;
    const isDue = one.receiverId === viewerId && paidAt === null && isGiverReady;
    return isDue && bidId !== null ? [{ ...one, bidId }] : [];
  });
  return leg;
}

/** 'Pay $21.00' */
export function payLabel({ price }: PricedLeg): string {
  return t`Pay ${moneyText(price.buyerTotal)}`;
}

/** How long there is to pay. */
export const PAY_HOURS = DEADLINE_DAYS.bidAccepted * 24;

/** What an accepted exchange with prices waits for; null for one without. */
export function waitingForMoney(exchange: Exchange, viewerId: number): string | null {
  const legs = pricedLegs(exchange);
  if (exchange.status !== 'accepted' || legs.length === 0) return null;
  const unpaid = legs.filter(({ price }) => price.paidAt === null);
  const due = payableLeg(exchange, viewerId);
  if (due)
    return t`Pay ${due.giverUsername} ${moneyText(due.price.amount)} within ${PAY_HOURS} hours of the agreement.`;
  const unready = unpaid.filter(({ price }) => !price.isGiverReady);
  if (unready.some(({ giverId }) => giverId === viewerId)) {
    return t`Set up a payment account, so that you can be paid.`;
  }
  if (unready.some(({ receiverId }) => receiverId === viewerId)) {
    return t`You can pay as soon as ${listed(unready.map(({ giverUsername }) => giverUsername))} can receive payments. We have asked them to set up a payment account.`;
  }
  if (unpaid.length === 0) return t`Everything is paid. A bank has a question about a payment.`;
  return t`Waiting for ${listed(unpaid.map(({ receiverUsername }) => receiverUsername))} to pay.`;
}

/** When the coupons of an exchange with prices change hands. */
export const MOVES_WHEN_PAID = t`The coupons change owners as soon as everything is paid.`;

/** What somebody has to know who agrees to an exchange with prices. */
export function paymentRule(): string {
  return t`The person who pays has ${PAY_HOURS} hours. ${MOVES_WHEN_PAID} We hold the money for ${HOLD_HOURS} hours after that. If the exchange ends before, we refund all of it.`;
}
