import { expect, it } from 'vitest';
import { PAYMENT_STATUSES, type PaymentStatus } from '#contract/money/payments.ts';
import { returnedOf } from '#server/money/books/service.ts';
import type { PaymentState, Payout } from '#server/providers/payments.ts';
import { factsWith, STATE } from '#tests/support/payment-facts.ts';
import { after, type Change } from './changes.ts';
import { decide, type Happening } from './decide.ts';
import type { PaymentFacts } from './facts.ts';
import { refundObstacle, saleOf } from './rules.ts';

/** Whatever happens to a payment, in any order: each way that its sale can go is walked to its end. */

const PAYOUT: Payout = {
  ref: 'tr_1',
  status: 'succeeded',
  amount: 950,
  reversed: 0,
  receiver: 'acct_seller',
  failure: null,
};
const reported = (state: Partial<PaymentState>): Happening => ({
  what: 'reported',
  state: { ...STATE, ...state },
});

const REPORTS: readonly Happening[] = [
  ...(['open', 'approved', 'processing', 'cancelled', 'failed'] as const).map((status) =>
    reported({ status }),
  ),
  ...[{}, { refunded: 300 }, { refunded: 1_050 }, { lost: 1_050 }].flatMap((moved) =>
    [[], [PAYOUT], [{ ...PAYOUT, reversed: 950 }]].flatMap((payouts) =>
      [false, true].map((isDisputed) =>
        reported({ totals: { ...STATE.totals, ...moved }, isDisputed, payouts }),
      ),
    ),
  ),
];
const ORDERS: readonly Happening[] = [
  { what: 'final', notice: 'claim_released' },
  { what: 'undone', notice: 'claim_refunded' },
  { what: 'awarded', note: '' },
  { what: 'claim_ended', notice: null },
  { what: 'refund_ordered', amount: 300, note: '' },
  { what: 'refund_ordered', amount: 1_050, note: '' },
];

/** What is so, where the coupon is, and whether a report has just been booked. */
interface Point {
  readonly facts: PaymentFacts;
  readonly coupon: 'free' | 'held' | 'sold' | 'back';
  readonly isBooked: boolean;
}

/** Whether those who decide let it happen now. */
function mayHappen({ payment, booked, open }: PaymentFacts, happening: Happening): boolean {
  const sale = saleOf(payment.status);
  const left = booked.captured - returnedOf(booked);
  const { isDisputed } = payment;
  switch (happening.what) {
    case 'final':
      return sale === 'held';
    case 'undone':
      return sale === 'held' && !isDisputed;
    case 'awarded':
      return sale === 'final' && !isDisputed;
    case 'refund_ordered': {
      const given = { isDisputed, captured: booked.captured, returned: returnedOf(booked) };
      const isFree = refundObstacle({ ...given, isRefunding: open.has('refund') }) === null;
      return isFree && happening.amount <= left && (happening.amount === left || sale !== 'undone');
    }
    default:
      return true;
  }
}

function step({ facts, coupon }: Point, happening: Happening): Point {
  const changes = decide(facts, happening);
  return {
    facts: after(facts, changes),
    coupon: changes.reduce(place, coupon),
    isBooked: happening.what === 'reported' && changes.some((change) => change.do === 'book'),
  };
}

function place(coupon: Point['coupon'], { do: what }: Change): Point['coupon'] {
  if (what === 'complete_sale') return 'sold';
  if (what === 'return_coupon') return 'back';
  return what === 'free_coupon' && coupon === 'held' ? 'free' : coupon;
}

/** The promises that are broken. */
function brokenBy({ facts, coupon, isBooked }: Point, from: Point): string[] {
  const { payment, booked, open } = facts;
  const { status, endedAt } = payment;
  const isPaid = booked.captured > 0;
  const isAllBack = isPaid && returnedOf(booked) >= booked.captured;
  const ended: readonly PaymentStatus[] = ['completed', 'refunded', 'charged_back', 'cancelled', 'failed'];
  const promises: Record<string, boolean> = {
    'money back means coupon back': !isAllBack || coupon !== 'sold',
    'a sale that is paid and stands is the buyer’s': saleOf(status) !== 'final' || coupon === 'sold',
    // Each attempt books a report first.
    'no payout is due beside a refund of everything':
      !isBooked || !open.has('payout') || open.get('refund')?.target !== null,
    'a payout that is due is of a final sale': !isBooked || !open.has('payout') || saleOf(status) === 'final',
    'nothing is captured once it is paid': !isPaid || !open.has('capture'),
    'only what has ended has an end': ended.includes(status) === (endedAt !== null),
    'what is being refunded has a refund': status !== 'refunding' || open.has('refund'),
    'what is being paid out has a payout': status !== 'releasing' || open.has('payout'),
    'nobody is undone twice': saleOf(from.facts.payment.status) !== 'undone' || saleOf(status) === 'undone',
    'only Stripe takes payouts back': !open.has('reversal') || payment.provider === 'stripe',
  };
  return Object.keys(promises).filter((name) => !promises[name]);
}

function keyOf({ facts: { payment, bid, booked, open }, coupon }: Point): string {
  const { status, isDisputed, endedAt } = payment;
  return JSON.stringify([status, isDisputed, endedAt, bid.status, booked, [...open].sort(), coupon]);
}

it.each(['stripe', 'paypal'] as const)('keeps every promise on every way, by %s', (provider) => {
  const start: Point = {
    facts: factsWith({
      payment: { provider, status: 'open', providerFee: null },
      bid: { status: 'accepted' },
      booked: { captured: 0, providerFees: 0 },
      payoutAsked: 950,
    }),
    coupon: 'held',
    isBooked: false,
  };
  const known = new Map([[keyOf(start), start]]);
  const broken = new Set<string>();
  for (const from of known.values()) {
    for (const happening of [...REPORTS, ...ORDERS]) {
      if (!mayHappen(from.facts, happening)) continue;
      const to = step(from, happening);
      for (const promise of brokenBy(to, from))
        broken.add(
          `${promise}: ${from.facts.payment.status} -> ${to.facts.payment.status}, ${happening.what}`,
        );
      known.set(keyOf(to), to);
    }
  }
  expect([...broken]).toEqual([]);
  expect(new Set([...known.values()].map(({ facts }) => facts.payment.status)).size).toBe(
    PAYMENT_STATUSES.length - 1,
  );
});

it('has an answer to everything in every status', () => {
  for (const status of PAYMENT_STATUSES)
    for (const happening of [...REPORTS, ...ORDERS]) {
      const facts = factsWith({ payment: { status } });
      expect(PAYMENT_STATUSES).toContain(after(facts, decide(facts, happening)).payment.status);
    }
});
