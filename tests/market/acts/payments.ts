import * as fc from 'fast-check';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { CARDS } from '#tests/support/payments.ts';
import {
  type Bid,
  CAST,
  cancelPending,
  canReturn,
  couponsOf,
  DAY_MS,
  endDeal,
  free,
  give,
  HOUR_MS,
  hasExpired,
  moveLegs,
  NOTHING,
  type Payment,
  priceNumber,
  pricesOf,
  type State,
  stateOf,
} from '../state.ts';
import {
  type Act,
  type Aimed,
  type Answer,
  act,
  bidAt,
  chooseDeal,
  dealChoice,
  type Step,
  says,
} from './act.ts';

const isUnsettled = ({ state }: Payment) => state === 'open' || state === 'processing';

/** Why a bid cannot be paid now. */
function objectionToPaying(state: State, bid: Bid | undefined, who: number): Answer | undefined {
  if (!bid) return 'not_found';
  if (bid.parties[0] !== who) return 'forbidden';
  if (bid.status === 'completed') return 'deal_changed';
  if (bid.of !== null && bid.status === 'accepted' && bid.payment?.state === 'held') return 'deal_changed';
  if (bid.status !== 'accepted') return 'bid_not_accepted';
  if (bid.acceptedAt + DEADLINE_DAYS.bidAccepted * DAY_MS <= state.now) return 'deal_changed';
  const deal = state.deals.get(bid.of ?? NOTHING) ?? bid;
  const coupons = couponsOf(deal).flatMap((id) => state.coupons.get(id) ?? []);
  return coupons.some((coupon) => hasExpired(state, coupon)) ? 'coupon_unavailable' : undefined;
}

/** Learns from the provider whether the buyer has paid: then the sale is made, or the money goes back. */
export function settle(state: State, id: number, bid: Bid): void {
  const { payment } = bid;
  const canSettle = payment && (isUnsettled(payment) || payment.state === 'given up');
  if (!canSettle || !payment.isPaidThere) return;
  payment.paidAt = state.now;
  if (bid.status !== 'accepted' || payment.state === 'given up') {
    payment.state = 'refunding';
    return;
  }
  if (bid.of !== null) {
    Object.assign(payment, { state: 'held', holdUntil: Number.POSITIVE_INFINITY });
    bid.isPaid = true;
    completeIfPaid(state, bid.of);
    return;
  }
  Object.assign(payment, { state: 'held', holdUntil: state.now + HOLD_HOURS * HOUR_MS });
  bid.status = 'completed';
  const coupon = state.coupons.get(bid.coupon);
  if (coupon) {
    give(state, coupon, bid.parties[0], id);
    coupon.heldBy = id;
  }
  cancelPending(state, [bid.coupon], 'rival_completed');
}

/** Moves all coupons of an exchange once all its prices are paid; then their holds begin. */
export function completeIfPaid(state: State, id: number): void {
  const deal = state.deals.get(id);
  const prices = pricesOf(state, id);
  const isPaid = prices.every(({ payment }) => payment?.state === 'held');
  if (!deal || deal.kind === 'bid' || deal.status !== 'accepted' || !isPaid) return;
  const coupons = couponsOf(deal).flatMap((coupon) => state.coupons.get(coupon) ?? []);
  if (coupons.some((coupon) => hasExpired(state, coupon))) {
    endDeal(state, id, 'cancelled', 'coupon_expired');
    return;
  }
  if (coupons.some(({ isListed }) => !isListed)) return;
  moveLegs(state, id, deal);
  for (const { payment, ...price } of prices) {
    if (payment) payment.holdUntil = state.now + HOLD_HOURS * HOUR_MS;
    const bid = bidAt(state, priceNumber(id, price.coupon));
    if (bid) bid.status = 'completed';
  }
}

/** Gives the money back, and to the seller the coupon, which is on no list any more. */
export function undo(state: State, bid: Bid, id: number): void {
  if (bid.payment) bid.payment.state = 'undone';
  const coupon = state.coupons.get(bid.coupon);
  // What was swapped for it stays where it is.
  if (bid.status !== 'completed' || !coupon || !canReturn(state, bid, id)) return;
  give(state, coupon, bid.parties[1], null);
  Object.assign(coupon, { isListed: false, isHidden: false, heldBy: null });
  cancelPending(state, [bid.coupon], 'rival_completed');
}

export function makeFinal(state: State, bid: Bid, id: number): void {
  if (bid.payment) bid.payment.state = 'final';
  free(state, id);
}

const startPaying =
  (who: number, id: number, by: PaymentProviderName): Step =>
  (state) => {
    const bid = bidAt(state, id);
    const objection = objectionToPaying(state, bid, who);
    if (objection || !bid) return objection;
    const sellsBy: readonly PaymentProviderName[] = CAST[bid.parties[1]]?.sellsBy ?? [];
    if (!sellsBy.includes(by)) return 'seller_not_ready';
    if (bid.payment?.state === 'processing') return 'payment_changed';
    const isSame = bid.payment?.state === 'open' && bid.payment.by === by;
    if (!isSame)
      bid.payment = {
        ...{ by, isPaidThere: false, state: 'open', paidAt: 0, holdUntil: 0 },
        ...{ claim: null, claimedAt: 0, isAnswered: false },
      };
    return undefined;
  };

/** The buyer pays on the provider's pages, which know nothing of the marketplace. */
const payThere =
  (id: number): Step =>
  (state) => {
    const payment = bidAt(state, id)?.payment;
    if (payment) payment.isPaidThere = true;
    return undefined;
  };

const lookThere =
  (id: number): Step =>
  (state) => {
    const bid = bidAt(state, id);
    if (!bid?.payment) return 'not_found';
    settle(state, id, bid);
    return bid.payment.state;
  };

const mayPay =
  (who: number, id: number): Step =>
  (state) =>
    objectionToPaying(state, bidAt(state, id), who);

/** A capture at PayPal begins by a mark, so that nobody gives the payment up meanwhile. The bid may just have ended. */
const markForCapture =
  (id: number): Step =>
  (state) => {
    const bid = bidAt(state, id);
    if (bid?.status !== 'accepted' || !bid.payment) return 'payment_changed';
    bid.payment.state = 'processing';
    return undefined;
  };

function aimStart(who: number, id: number, by: PaymentProviderName): Aimed {
  return {
    text: says(who, `begins to pay bid ${id} by ${by}`),
    who,
    gate: 'member',
    party: { deal: id, isFirst: true },
    pays: id,
    steps: [startPaying(who, id, by), () => 'ok'],
    async call(world, caller) {
      const bidId = world.bidId(id);
      if (by === 'stripe') await caller.payments.createIntent({ bidId });
      else await caller.payments.createPaypalOrder({ bidId });
      return 'ok';
    },
  };
}

function aimPay(who: number, id: number, by: PaymentProviderName): Aimed {
  const isCard = by === 'stripe';
  return {
    text: says(who, `pays bid ${id} by ${by}`),
    who,
    gate: 'member',
    party: { deal: id, isFirst: true },
    pays: id,
    steps: isCard
      ? [startPaying(who, id, by), payThere(id), lookThere(id)]
      : [startPaying(who, id, by), mayPay(who, id), markForCapture(id), payThere(id), lookThere(id)],
    async call({ market, ...world }, caller) {
      const bidId = world.bidId(id);
      if (isCard) {
        const { clientSecret } = await caller.payments.createIntent({ bidId });
        await market.stripe.confirmWithCard(clientSecret, CARDS.good);
        return stateOf(await caller.payments.refresh({ bidId }));
      }
      const { orderId } = await caller.payments.createPaypalOrder({ bidId });
      await market.paypal.approveOrder(orderId);
      return stateOf(await caller.payments.capturePaypalOrder({ bidId }));
    },
  };
}

const payments = (aim: typeof aimPay, name: string): fc.Arbitrary<Act> =>
  fc.record({ deal: dealChoice('first'), luck: fc.nat(5) }).map(({ deal, luck }) =>
    act(name, (state) => {
      const { id, deal: bid, who } = chooseDeal(state, 'bid', deal, ({ status }) => status === 'accepted');
      const offered: readonly PaymentProviderName[] = CAST[bid?.parties[1] ?? 0]?.sellsBy ?? [];
      // Mostly a way that the seller has.
      const ways = luck === 0 || offered.length === 0 ? (['stripe', 'paypal'] as const) : offered;
      return aim(who, id, ways[luck % ways.length] ?? 'stripe');
    }),
  );

export const startPayment = payments(aimStart, 'begin to pay');
export const pay = payments(aimPay, 'pay');
