import { describe, expect, it } from 'vitest';
import type { Totals } from '#server/money/books/ledger.ts';
import {
  all,
  chargedBack,
  lost,
  type Moved,
  move,
  movedInWords,
  of,
  paidOut,
  part,
  type Row,
  refunded,
  refunding,
  releasing,
} from '#tests/support/moved-money.ts';
import { AT, type Given } from '#tests/support/payment-facts.ts';

const DUE_AT = new Date('2035-06-10');
const awarded = { awarded: 1_050 };

describe('a bank', () => {
  const disputed = { isDisputed: true };
  it.each<Row>([
    ['disputes a payment that is held', {}, {}, disputed, 'held, tell disputed, not final'],
    ['disputes what is refunded anyway', refunding, {}, disputed, 'refunding, not final'],
    ['still disputes it', { payment: disputed }, {}, disputed, 'not final'],
    [
      'confirms it: what has waited goes on',
      of({ ...releasing, open: ['payout', 'refund'], target: 300 }, disputed),
      {},
      {},
      'hurry payout, hurry refund, releasing, tell dispute_won, final',
    ],
    [
      'takes the money for good',
      of({ open: ['payout'] }, disputed),
      {},
      lost,
      'return_coupon, close payout, charged_back at the end, tell dispute_lost, not final',
    ],
    [
      'takes the rest after a refund of a part',
      {},
      part,
      { withdrawn: 750, lost: 750 },
      'return_coupon, charged_back at the end, tell dispute_lost, not final',
    ],
    ['takes a part', {}, {}, { withdrawn: 50, lost: 50 }, 'tell partly_refunded, not final'],
    ['takes what was refunded, too', refunded, all, lost, 'tell refunded, not final'],
    [
      'gives it back on appeal: the sale stays undone',
      chargedBack,
      lost,
      { withdrawn: 0, lost: 0 },
      'ask: The bank has given back what it had taken; the sale stays undone, tell appeal_won, not final',
    ],
    [
      'gives a part back of a sale that stands',
      {},
      { withdrawn: 50, lost: 50 },
      { withdrawn: 0, lost: 0 },
      'not final',
    ],
    [
      'names the day for our evidence',
      { payment: disputed },
      {},
      { ...disputed, evidenceDueAt: DUE_AT },
      'held, not final',
    ],
    [
      'names the same day',
      { payment: { ...disputed, evidenceDueAt: new Date(DUE_AT) } },
      {},
      { ...disputed, evidenceDueAt: DUE_AT },
      'not final',
    ],
  ])('%s', (_, given, before, now, changes) => {
    expect(movedInWords(given, before, now)).toBe(changes);
  });
});

describe('a granted claim under the guarantee', () => {
  const waits: Given = { ...refunding, open: ['refund', 'reversal'] };
  it.each<Row>([
    [
      'pays the buyer as soon as the seller has paid a part',
      waits,
      { ...awarded, ...paidOut },
      { reversed: 300 },
      'open reversal, hurry refund, tell payout_reversed, not final',
    ],
    [
      'owes only what the seller owes',
      waits,
      { ...awarded, ...paidOut, reversed: 300, offset: -650 },
      {},
      'close reversal, not final',
    ],
    [
      'has paid a part',
      waits,
      { ...awarded, ...paidOut },
      part,
      'open reversal, tell late_part_paid, not final',
    ],
    [
      'has paid all',
      waits,
      { ...awarded, ...paidOut, reversed: 950 },
      all,
      'return_coupon, close refund, close reversal, refunded at the end, tell refunded, not final',
    ],
  ])('%s', (_, given, before, now, changes) => {
    expect(movedInWords(given, before, now)).toBe(changes);
  });
});

describe('what is stored and told', () => {
  it('is when a dispute began and ended, and when the sale has ended', () => {
    const set = (given: Given, booked: Partial<Totals>, now: Moved) =>
      move(given, booked, now).changes.find((change) => change.do === 'update')?.set;
    expect(set({}, {}, { isDisputed: true, evidenceDueAt: DUE_AT })).toEqual({
      status: 'held',
      isDisputed: true,
      disputedAt: AT,
      evidenceDueAt: DUE_AT,
      endedAt: null,
    });
    expect(set({ payment: { isDisputed: true } }, {}, {})).toMatchObject({
      isDisputed: false,
      disputedAt: null,
    });
    const before = new Date('2035-06-02');
    expect(set({ payment: { status: 'completed', endedAt: before } }, paidOut, all)).toEqual({
      status: 'refunded',
      isDisputed: false,
      disputedAt: undefined,
      evidenceDueAt: null,
      endedAt: before,
    });
    expect(set({ payment: { endedAt: before } }, {}, {})).toMatchObject({ status: 'held', endedAt: null });
    expect(set({ payment: { status: 'completed' } }, paidOut, {})).toMatchObject({ endedAt: AT });
  });

  it('is how the money has moved', () => {
    const { changes, before, totals } = move(releasing, {}, paidOut);
    expect(changes).toContainEqual({ do: 'notify', notice: 'paid_out', said: { before, totals } });
  });
});
