import * as fc from 'fast-check';
import { DEADLINE_DAYS } from '#contract/deals.ts';
import { HOLD_HOURS, type PaymentStatus, type Protection } from '#contract/payments.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import { CARDS } from '#server/testing/payments.ts';
import {
  type Act,
  type Aimed,
  type Answer,
  act,
  bidAt,
  chooseDeal,
  dealChoice,
  member,
  type Step,
  says,
} from './acts.ts';
import {
  ADMIN,
  type Bid,
  CAST,
  cancelPending,
  DAY_MS,
  free,
  give,
  HOUR_MS,
  hasExpired,
  type Payment,
  type State,
} from './market.ts';

/** The states of a payment as the model tells them apart. */
const STATES: Record<PaymentStatus, Payment['state']> = {
  created: 'open',
  open: 'open',
  processing: 'processing',
  held: 'held',
  releasing: 'final',
  completed: 'final',
  refunding: 'refunding',
  refunded: 'undone',
  charged_back: 'undone',
  cancelled: 'given up',
  failed: 'given up',
};
export const stateOf = ({ status }: Pick<Protection, 'status'>) => STATES[status];

const isUnsettled = ({ state }: Payment) => state === 'open' || state === 'processing';

/** Why a bid cannot be paid now. */
function objectionToPaying(state: State, bid: Bid | undefined, who: number): Answer | undefined {
  if (!bid) return 'not_found';
  if (bid.parties[0] !== who) return 'forbidden';
  if (bid.status === 'completed') return 'deal_changed';
  if (bid.status !== 'accepted') return 'bid_not_accepted';
  if (bid.acceptedAt + DEADLINE_DAYS.bidAccepted * DAY_MS <= state.now) return 'deal_changed';
  const coupon = state.coupons.get(bid.coupon);
  return coupon && hasExpired(state, coupon) ? 'coupon_unavailable' : undefined;
}

/** Learns from the provider whether the buyer has paid: then the sale is made, or the money goes back. */
export function settle(state: State, id: number, bid: Bid): void {
  const { payment } = bid;
  const canSettle = payment && (isUnsettled(payment) || payment.state === 'given up');
  if (!canSettle || !payment.isPaidThere) return;
  if (bid.status !== 'accepted' || payment.state === 'given up') {
    payment.state = 'refunding';
    return;
  }
  Object.assign(payment, { state: 'held', holdUntil: state.now + HOLD_HOURS * HOUR_MS });
  bid.status = 'completed';
  const coupon = state.coupons.get(bid.coupon);
  if (coupon) {
    give(state, coupon, bid.parties[0]);
    coupon.heldBy = id;
  }
  cancelPending(state, [bid.coupon], 'rival_completed');
}

/** Gives the money back, and to the seller the coupon, which is on no list any more. */
export function undo(state: State, bid: Bid, id: number): void {
  if (bid.payment) bid.payment.state = 'undone';
  const coupon = state.coupons.get(bid.coupon);
  if (bid.status !== 'completed' || !coupon) return;
  give(state, coupon, bid.parties[1]);
  Object.assign(coupon, { isListed: false, isHidden: false });
  free(state, id);
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
    if (!isSame) bid.payment = { by, isPaidThere: false, state: 'open', holdUntil: 0, claim: null };
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
    gate: 'active',
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
    gate: 'active',
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

/** An act of the buyer after the payment. @param change what it does to the bid and its payment */
function aimAfterwards(
  who: number,
  id: number,
  given: {
    verb: string;
    change: (state: State, bid: Bid, payment: Payment) => Answer | undefined;
    call: Aimed['call'];
  },
): Aimed {
  return {
    text: says(who, `${given.verb} bid ${id}`),
    who,
    gate: 'active',
    steps: [
      (state) => {
        const bid = bidAt(state, id);
        if (!bid?.payment || !bid.parties.includes(who)) return 'not_found';
        if (bid.parties[0] !== who) return 'forbidden';
        return given.change(state, bid, bid.payment) ?? bid.payment.state;
      },
    ],
    call: given.call,
  };
}

const isHeld = ({ payment }: Bid) => payment?.state === 'held';

const afterwards = (name: string, aim: (who: number, id: number) => Aimed): fc.Arbitrary<Act> =>
  dealChoice('first').map((choice) =>
    act(name, (state) => {
      const { id, who } = chooseDeal(state, 'bid', choice, isHeld);
      return aim(who, id);
    }),
  );

export const confirm = afterwards('confirm', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'confirms',
    change(state, bid, payment) {
      if (payment.state !== 'held' || payment.claim === 'open') return 'payment_changed';
      makeFinal(state, bid, id);
      return undefined;
    },
    call: async (world, caller) => stateOf(await caller.payments.confirmReceipt({ bidId: world.bidId(id) })),
  }),
);

export const claim = afterwards('claim', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'makes a claim about',
    change({ now }, _bid, payment) {
      if (payment.state !== 'held' || payment.holdUntil <= now || payment.claim) return 'payment_changed';
      payment.claim = 'open';
      return undefined;
    },
    call: async (world, caller) =>
      stateOf(await caller.payments.openClaim({ bidId: world.bidId(id), reason: 'The code does not work.' })),
  }),
);

export const withdrawClaim = afterwards('withdraw claim', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'withdraws the claim about',
    change(_state, _bid, payment) {
      if (payment.claim !== 'open') return 'payment_changed';
      payment.claim = 'ended';
      return undefined;
    },
    call: async (world, caller) => stateOf(await caller.payments.withdrawClaim({ bidId: world.bidId(id) })),
  }),
);

/** Whether a claim was ever made; only then there is one to decide. */
function aimDecide(who: number, id: number, decision: 'refund' | 'release'): Aimed {
  return {
    text: says(who, `decides the claim about bid ${id}: ${decision}`),
    who,
    gate: 'admin',
    steps: [
      (state) => {
        const payment = bidAt(state, id)?.payment;
        if (!payment?.claim) return 'not_found';
        if (payment.state !== 'held' || payment.claim !== 'open') return 'payment_changed';
        payment.claim = 'ended';
        payment.state = decision === 'refund' ? 'refunding' : 'final';
        if (decision === 'release') free(state, id);
        return undefined;
      },
      (state) => {
        const bid = bidAt(state, id);
        if (decision === 'refund' && bid) undo(state, bid, id);
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.payments.decideClaim({ id: await world.claimId(id), decision, note: 'So be it.' });
      return 'ok';
    },
  };
}

export const decide: fc.Arbitrary<Act> = fc
  .record({
    who: fc.oneof({ weight: 9, arbitrary: fc.constant(ADMIN) }, member),
    deal: dealChoice('first'),
    decision: fc.constantFrom('refund' as const, 'release' as const),
  })
  .map(({ who, deal, decision }) =>
    act(`decide(${decision})`, (state) => {
      const { id } = chooseDeal(state, 'bid', deal, ({ payment }) => payment?.claim === 'open');
      return aimDecide(who, id, decision);
    }),
  );
