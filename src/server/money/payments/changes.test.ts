import { expect, it } from 'vitest';
import { AT, BOOKED, factsWith } from '#tests/support/payment-facts.ts';
import { after, type Change, when } from './changes.ts';

const facts = factsWith({ bid: { status: 'accepted' }, open: ['capture'] });

it.each<[string, Change, object]>([
  [
    'an update, whose undefined values stay',
    { do: 'update', set: { status: 'releasing', endedAt: undefined, holdUntil: AT } },
    { ...facts, payment: { ...facts.payment, status: 'releasing', holdUntil: AT } },
  ],
  [
    'an operation',
    { do: 'open', operation: 'payout' },
    {
      ...facts,
      open: new Map([
        ['capture', { target: null }],
        ['payout', { target: null }],
      ]),
    },
  ],
  [
    'a refund of a part',
    { do: 'open', operation: 'refund', target: 300 },
    {
      ...facts,
      open: new Map([
        ['capture', { target: null }],
        ['refund', { target: 300 }],
      ]),
    },
  ],
  ['the end of an operation', { do: 'close', operation: 'capture' }, { ...facts, open: new Map() }],
  [
    'what is booked',
    { do: 'book', totals: { ...BOOKED, refunded: 300 } },
    { ...facts, booked: { ...BOOKED, refunded: 300 } },
  ],
  ['a completed sale', { do: 'complete_sale' }, { ...facts, bid: { ...facts.bid, status: 'completed' } }],
  ['what others know alone', { do: 'free_coupon' }, facts],
])('is known afterwards: %s', (_, change, known) => {
  expect(after(facts, [change])).toEqual(known);
  expect(after(facts, [])).toBe(facts);
});

it('happens, or not', () => {
  const change: Change = { do: 'free_coupon' };
  expect([when(true, change, change), when(false, change)]).toEqual([[change, change], []]);
});
