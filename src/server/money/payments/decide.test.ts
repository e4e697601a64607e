import { describe, expect, it } from 'vitest';
import { NO_TOTALS } from '#server/money/books/ledger.ts';
import { AT, BOOKED, factsWith, type Given } from '#tests/support/payment-facts.ts';
import type { Change } from './changes.ts';
import { decide, type Happening } from './decide.ts';

const update = (set: Extract<Change, { do: 'update' }>['set']): Change => ({ do: 'update', set });
const keep = (isFinal = false): Change => ({ do: 'keep_reserve', isFinal });
const open = (operation: 'payout' | 'refund' | 'reversal'): Change => ({ do: 'open', operation });
const told = (notice: Extract<Change, { do: 'notify' }>['notice'], note?: string): Change => ({
  do: 'notify',
  notice,
  said: { note },
});
const PRICE = { exchangeId: 9 };
const refunding = update({ status: 'refunding', endedAt: null });
const AWARDED = { ...BOOKED, awarded: 1_050 };
const ordered = (amount: number): Happening => ({ what: 'refund_ordered', amount, note: 'So be it.' });
const decided = (refunded: number): Change => ({
  do: 'notify',
  notice: 'refund_decided',
  said: { totals: { ...NO_TOTALS, refunded }, note: 'So be it.' },
});
const award = (transferred: number, ...reversal: Change[]): readonly Change[] => [
  { do: 'hold_coupon' },
  refunding,
  { do: 'book', totals: { ...AWARDED, transferred } },
  ...reversal,
  open('refund'),
  {
    do: 'notify',
    notice: 'late_granted',
    said: { before: { ...BOOKED, transferred }, totals: { ...AWARDED, transferred }, note: 'It is so.' },
  },
  keep(),
];

describe('what happens to a paid payment', () => {
  it.each<[name: string, given: Given, happening: Happening, changes: readonly Change[]]>([
    [
      'final: the seller is paid, and the coupon is free',
      {},
      { what: 'final', notice: 'confirmed' },
      [
        update({ status: 'releasing', confirmedAt: AT }),
        ...[open('payout'), { do: 'free_coupon' } as const, told('confirmed'), keep(true)],
      ],
    ],
    [
      'final, of a price, whose coupon is free',
      { bid: PRICE },
      { what: 'final', notice: 'released' },
      [update({ status: 'releasing' }), open('payout'), told('released'), keep(true)],
    ],
    [
      'final, in a dispute: only the hold ends',
      { payment: { isDisputed: true } },
      { what: 'final', notice: 'claim_released', note: 'It works.' },
      [update({ holdUntil: AT }), told('claim_released', 'It works.')],
    ],
    [
      'undone: the money goes back with the coupon',
      {},
      { what: 'undone', notice: 'claim_refunded', note: 'It is so.' },
      [{ do: 'hold_coupon' }, refunding, open('refund'), told('claim_refunded', 'It is so.')],
    ],
    [
      'undone before the exchange was completed: no coupon has moved',
      { bid: { ...PRICE, status: 'cancelled' } },
      { what: 'undone', notice: 'exchange_ended' },
      [refunding, open('refund'), told('exchange_ended')],
    ],
    [
      'awarded, before the payout',
      { payment: { status: 'releasing' } },
      { what: 'awarded', note: 'It is so.' },
      award(0),
    ],
    [
      'awarded, after the payout by Stripe, which is asked for it',
      { payment: { status: 'completed', endedAt: AT }, booked: { transferred: 950 } },
      { what: 'awarded', note: 'It is so.' },
      award(950, open('reversal')),
    ],
    [
      'awarded, after the payout by PayPal, which cannot take it back',
      { payment: { provider: 'paypal', status: 'completed' }, booked: { transferred: 890 } },
      { what: 'awarded', note: 'It is so.' },
      award(890),
    ],
    ['claimed', {}, { what: 'claimed', notice: 'answer_asked' }, [{ do: 'notify', notice: 'answer_asked' }]],
    [
      'a claim has ended: the hold goes on',
      {},
      { what: 'claim_ended', notice: 'claim_withdrawn' },
      [told('claim_withdrawn')],
    ],
    [
      'a claim about a final sale has ended: the coupon is free',
      { payment: { status: 'completed' } },
      { what: 'claim_ended', notice: 'late_refused', note: 'It works.' },
      [{ do: 'free_coupon' }, told('late_refused', 'It works.')],
    ],
    [
      'a claim about a price that is held has ended: the coupon is free',
      { bid: PRICE },
      { what: 'claim_ended', notice: null },
      [{ do: 'free_coupon' }],
    ],
    [
      'a claim about an undone sale has ended: the coupon waits for the money',
      { payment: { status: 'refunding' }, bid: PRICE },
      { what: 'claim_ended', notice: null },
      [],
    ],
    [
      'a part is refunded',
      { booked: { refunded: 50 } },
      ordered(300),
      [{ do: 'open', operation: 'refund', target: 350 }, decided(300)],
    ],
    [
      'all that is left is refunded',
      { booked: { refunded: 50 } },
      ordered(1_000),
      [{ do: 'hold_coupon' }, refunding, { do: 'open', operation: 'refund', target: null }, decided(1_000)],
    ],
    [
      'the rest of an undone sale is refunded, whose coupon is back',
      { payment: { status: 'charged_back' }, booked: { lost: 50 } },
      ordered(1_000),
      [refunding, { do: 'open', operation: 'refund', target: null }, decided(1_000)],
    ],
    [
      'a price is refunded before the exchange is completed',
      { bid: { ...PRICE, status: 'accepted' } },
      ordered(1_050),
      [refunding, { do: 'open', operation: 'refund', target: null }, decided(1_050)],
    ],
    [
      'nobody knows what follows',
      {},
      { what: 'unclear', why: 'It is odd.' },
      [{ do: 'ask_person', why: 'It is odd.' }],
    ],
  ])('%s', (_, given, happening, changes) => {
    expect(decide(factsWith(given), happening)).toEqual(changes);
  });
});
