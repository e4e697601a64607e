import * as fc from 'fast-check';
import { COUNTER_HOURS, DEADLINE_DAYS, RING_CONSENT_HOURS } from '#contract/deals/deals.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { type Act, type Aimed, act, type Step } from '../market/acts/act.ts';
import { depositDeadline, moveDeposits } from '../market/acts/deposits.ts';
import { completeIfPaid, makeFinal, settle, undo } from '../market/acts/payments.ts';
import {
  type Bid,
  canReturn,
  couponsOf,
  DAY_MS,
  type Deal,
  endDeal,
  HOUR_MS,
  hasExpired,
  isOverFor,
  pricesOf,
  type State,
} from '../market/state.ts';
import type { World } from './world.ts';

const isOver = (state: State, since: number, days: number) => since + days * DAY_MS <= state.now;

function daysToAnswer(deal: Deal): number {
  if (deal.kind === 'bid') return deal.round === 1 ? DEADLINE_DAYS.bidPending : COUNTER_HOURS / 24;
  if (deal.kind === 'ring') return RING_CONSENT_HOURS / 24;
  return deal.round === 1 ? DEADLINE_DAYS.exchangePending : COUNTER_HOURS / 24;
}

/** Why the time of a deal is up; null while it is not. What is to be paid is left to the payments' job. */
function lapseReason(state: State, deal: Deal): 'deadline' | 'coupon_expired' | null {
  const { status, createdAt, acceptedAt, kind } = deal;
  if (status === 'accepted' && kind !== 'bid') {
    if (deal.deposit !== null) return depositDeadline(deal) <= state.now ? 'deadline' : null;
    const isLeft = deal.prices.length > 0;
    return !isLeft && isOver(state, acceptedAt, DEADLINE_DAYS.exchangeAccepted) ? 'deadline' : null;
  }
  if (status !== 'pending') return null;
  if (isOver(state, deal.kind === 'bid' ? deal.roundAt : createdAt, daysToAnswer(deal))) return 'deadline';
  const coupons = couponsOf(deal).flatMap((id) => state.coupons.get(id) ?? []);
  return coupons.some((coupon) => hasExpired(state, coupon)) ? 'coupon_expired' : null;
}

const lapse =
  (id: number): Step =>
  (state) => {
    const deal = state.deals.get(id);
    const reason = deal ? lapseReason(state, deal) : null;
    if (reason) endDeal(state, id, 'cancelled', reason);
    return undefined;
  };

/** The job that ends deals whose time is up, each in a transaction of its own. */
export const expire: fc.Arbitrary<Act> = fc.constant(
  act('expire', (state): Aimed => {
    const due = [...state.deals].filter(([, deal]) => lapseReason(state, deal) !== null);
    return {
      text: `deals whose time is up end (${due.map(([id]) => id).join(', ') || 'none'})`,
      who: null,
      gate: 'anybody',
      steps: [...due.map(([id]) => lapse(id)), () => 'ok'],
      async call({ market }: World) {
        await expireDeals(market.ctx);
        return 'ok';
      },
    };
  }),
);

/** Soon after, PayPal would pay the seller. */
const PAYPAL_DAYS = 26;

/** Whether a claim is open about the coupon for which a price of an exchange was paid. */
function hasOpenClaim(state: State, { of, coupon }: Bid): boolean {
  const deal = of === null ? undefined : state.deals.get(of);
  return deal?.kind === 'swap' && deal.claims.some((one) => one.coupon === coupon && one.status === 'open');
}

/** An hour later, when every payment is due, the payments' job does what is to be done. */
const reconcileStep: Step = (state) => {
  state.now += HOUR_MS;
  const bids = [...state.deals].filter((entry): entry is [number, Bid] => entry[1].kind === 'bid');
  for (const [id, bid] of bids) {
    settle(state, id, bid);
    if (bid.payment?.state === 'open' && bid.status !== 'accepted') bid.payment.state = 'given up';
  }
  for (const [id, bid] of bids) {
    const { payment } = bid;
    if (bid.status === 'accepted' && isOver(state, bid.acceptedAt, DEADLINE_DAYS.bidAccepted)) {
      for (const one of bid.of === null ? [bid] : pricesOf(state, bid.of)) {
        if (one.payment?.state === 'open') one.payment.state = 'given up';
      }
      endDeal(state, bid.of ?? id, 'cancelled', 'deadline');
    }
    const isClaimed = payment?.claim === 'open' || hasOpenClaim(state, bid);
    if (payment?.state !== 'held') continue;
    const isLate = payment.by === 'paypal' && isOver(state, payment.paidAt, PAYPAL_DAYS);
    if (isClaimed && isLate) {
      payment.state = 'refunding';
      if (payment.claim === 'open') payment.claim = 'ended';
    } else if (!isClaimed && payment.holdUntil <= state.now) {
      if (isOverFor(state, payment.holdUntil, bid.parties[0])) makeFinal(state, bid, id);
      // Their buyer is banned and could not be asked.
      else if (isLate && canReturn(state, bid, id)) payment.state = 'refunding';
    }
  }
  for (const [, { of, status, payment }] of bids) {
    if (of === null || payment?.state !== 'held') continue;
    if (status === 'cancelled') payment.state = 'refunding';
    else completeIfPaid(state, of);
  }
  for (const [id, bid] of bids) if (bid.payment?.state === 'refunding') undo(state, bid, id);
  moveDeposits(state);
  return 'ok';
};

export const reconcile: fc.Arbitrary<Act> = fc.constant(
  act(
    'reconcile',
    (): Aimed => ({
      text: 'an hour later, payments are moved on',
      who: null,
      gate: 'anybody',
      steps: [reconcileStep],
      async call(world: World) {
        await world.wait(1);
        const { ctx } = world.market;
        // The model has no records of people, so no claim ends by them.
        await reconcilePayments({ ...ctx, config: { ...ctx.config, claimDays: 10_000 } });
        return 'ok';
      },
    }),
  ),
);

/** Time passes; no job runs. */
export const wait: fc.Arbitrary<Act> = fc.constantFrom(1, 24, 49, 73, 8 * 24, 15 * 24).map((hours) =>
  act(
    `wait(${hours} hours)`,
    (): Aimed => ({
      text: `${hours} hours pass`,
      who: null,
      gate: 'anybody',
      steps: [
        (state) => {
          state.now += hours * HOUR_MS;
          return 'ok';
        },
      ],
      async call(world: World) {
        await world.wait(hours);
        return 'ok';
      },
    }),
  ),
);
