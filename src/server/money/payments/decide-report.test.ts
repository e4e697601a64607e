import { describe, expect, it } from 'vitest';
import type { PaymentState, Payout } from '#server/providers/payments.ts';
import { AT, BOOKED, factsWith, type Given, STATE } from '#tests/support/payment-facts.ts';
import type { Change } from './changes.ts';
import { decide, type Happening } from './decide.ts';

const minutesLater = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const HOLD_END = minutesLater(72 * 60);
const CARD = { token: 'pm_1', brand: 'visa', lastFour: '4242', expiryMonth: 1, expiryYear: 2040 };
const PAYOUT: Payout = {
  ref: 'tr_1',
  status: 'succeeded',
  amount: 950,
  reversed: 0,
  receiver: 'acct_seller',
  failure: null,
};

const reported = (state: Partial<PaymentState> = {}): Happening => ({
  what: 'reported',
  state: { ...STATE, ...state },
});
const UNPAID = { captured: 0, providerFees: 0 };
const waiting: Given = { payment: { status: 'open' }, bid: { status: 'accepted' }, booked: UNPAID };
const update = (set: Extract<Change, { do: 'update' }>['set']): Change => ({ do: 'update', set });
const book: Change = { do: 'book', totals: BOOKED };
const fee = update({ providerFee: 60 });
const keep = (isFinal = false): Change => ({ do: 'keep_reserve', isFinal });
const PAID = { chargeRef: 'ch_1', paidAt: AT, endedAt: null, nextTryAt: null };
const held = update({ status: 'held', ...PAID, holdUntil: HOLD_END });
const tooLate = [
  update({ status: 'refunding', ...PAID }),
  { do: 'open', operation: 'refund' },
  { do: 'notify', notice: 'paid_too_late' },
  book,
  fee,
  keep(),
] satisfies Change[];

type Row = [name: string, given: Given, happening: Happening, changes: readonly Change[]];

describe('a report on an unpaid payment', () => {
  it.each<Row>([
    ['of the same', waiting, reported({ status: 'open' }), []],
    [
      'with its first id',
      { ...waiting, payment: { status: 'created', ref: null } },
      reported({ status: 'open' }),
      [update({ ref: 'pi_1' }), update({ status: 'open', endedAt: undefined, nextTryAt: minutesLater(1) })],
    ],
    [
      'that the buyer has approved, has us capture if their browser does not',
      waiting,
      reported({ status: 'approved' }),
      [{ do: 'note_begun' }, { do: 'open', operation: 'capture', at: minutesLater(1) }],
    ],
    [
      'that the buyer has approved while it is captured',
      { ...waiting, payment: { status: 'processing' } },
      reported({ status: 'approved' }),
      [{ do: 'note_begun' }, update({ status: 'open', endedAt: undefined, nextTryAt: minutesLater(1) })],
    ],
    ['that waits for the bank', waiting, reported({ status: 'requires_action' }), [{ do: 'note_begun' }]],
    [
      'that is processed',
      waiting,
      reported({ status: 'processing' }),
      [
        { do: 'note_begun' },
        update({ status: 'processing', endedAt: undefined, nextTryAt: minutesLater(1) }),
      ],
    ],
    [
      'that is cancelled',
      waiting,
      reported({ status: 'cancelled' }),
      [update({ status: 'cancelled', endedAt: AT, nextTryAt: null })],
    ],
    [
      'that has failed',
      { ...waiting, payment: { status: 'processing' } },
      reported({ status: 'failed' }),
      [update({ status: 'failed', endedAt: AT, nextTryAt: null })],
    ],
    ['of a duplicate', waiting, reported({ ref: 'pi_2', status: 'open' }), []],
    [
      'of another amount',
      waiting,
      reported({ amount: 1_049 }),
      [
        update({ details: 'Its amount is 1049 cents', nextTryAt: minutesLater(60) }),
        { do: 'ask_person', why: 'Its amount is 1049 cents' },
      ],
    ],
  ])('%s', (_, given, happening, changes) => {
    expect(decide(factsWith(given), happening)).toEqual(changes);
  });
});

describe('the first report that a payment has succeeded', () => {
  it.each<Row>([
    [
      'completes the sale',
      { ...waiting, open: ['capture'] },
      reported(),
      [
        held,
        { do: 'close', operation: 'capture' },
        { do: 'complete_sale' },
        { do: 'notify', notice: 'paid' },
        book,
        fee,
        keep(),
      ],
    ],
    [
      'keeps the card and the id of the payment, where there is no other',
      { ...waiting, payment: { status: 'created', ref: null } },
      reported({ chargeRef: null, keptCard: CARD }),
      [
        update({ ref: 'pi_1' }),
        update({ status: 'held', ...PAID, chargeRef: 'pi_1', holdUntil: HOLD_END }),
        { do: 'complete_sale' },
        { do: 'keep_card', card: CARD },
        { do: 'notify', notice: 'paid' },
        book,
        fee,
        keep(),
      ],
    ],
    [
      'of a price marks it, and may complete the exchange; its hold begins then',
      { ...waiting, bid: { status: 'accepted', exchangeId: 9 } },
      reported(),
      [
        update({ status: 'held', ...PAID }),
        { do: 'mark_price', isPaid: true },
        { do: 'notify', notice: 'paid' },
        book,
        fee,
        keep(),
        { do: 'complete_exchange_if_paid' },
      ],
    ],
    [
      'for a cancelled bid begins a refund',
      { ...waiting, bid: { status: 'cancelled' } },
      reported(),
      tooLate,
    ],
    [
      'after it was given up begins a refund',
      { ...waiting, payment: { status: 'cancelled', endedAt: AT } },
      reported(),
      tooLate,
    ],
    [
      'and that all of it is back, returns the coupon at once',
      waiting,
      reported({ totals: { ...STATE.totals, refunded: 1_050 } }),
      [
        held,
        { do: 'complete_sale' },
        { do: 'notify', notice: 'paid' },
        { do: 'book', totals: { ...BOOKED, refunded: 1_050, feesRefunded: 100 } },
        fee,
        { do: 'return_coupon' },
        update({
          ...{ status: 'refunded', isDisputed: false, disputedAt: undefined },
          ...{ evidenceDueAt: null, endedAt: AT },
        }),
        {
          do: 'notify',
          notice: 'refunded',
          said: {
            before: { ...BOOKED, ...UNPAID },
            totals: { ...BOOKED, refunded: 1_050, feesRefunded: 100 },
          },
        },
        keep(),
      ],
    ],
  ])('%s', (_, given, happening, changes) => {
    expect(decide(factsWith(given), happening)).toEqual(changes);
  });
});

describe('a report on a paid payment', () => {
  it.each<Row>([
    ['of the same', {}, reported(), [book, keep()]],
    [
      'of a price asks again whether all are paid',
      { bid: { status: 'accepted', exchangeId: 9 } },
      reported(),
      [book, keep(), { do: 'complete_exchange_if_paid' }],
    ],
    ['from before its payment', {}, reported({ status: 'processing' }), [{ do: 'note_begun' }]],
    ['from before a booked payout', { booked: { transferred: 950 } }, reported(), []],
    [
      'of a payout that nobody has asked for',
      { payoutAsked: 900 },
      reported({ payouts: [{ ...PAYOUT, amount: 901 }] }),
      [
        update({ details: 'Payouts of 901 cents were not asked for', nextTryAt: undefined }),
        { do: 'ask_person', why: 'Payouts of 901 cents were not asked for' },
      ],
    ],
    [
      'of its payout ends the sale',
      { payment: { status: 'releasing' }, open: ['payout'] },
      reported({ payouts: [PAYOUT] }),
      [
        { do: 'book', totals: { ...BOOKED, transferred: 950 } },
        { do: 'close', operation: 'payout' },
        update({
          ...{ status: 'completed', isDisputed: false, disputedAt: undefined },
          ...{ evidenceDueAt: null, endedAt: AT },
        }),
        {
          do: 'notify',
          notice: 'paid_out',
          said: { before: BOOKED, totals: { ...BOOKED, transferred: 950 } },
        },
        keep(true),
      ],
    ],
    [
      'of a dispute keeps the money',
      {},
      reported({ isDisputed: true, evidenceDueAt: HOLD_END }),
      [
        book,
        update({
          ...{ status: 'held', isDisputed: true, disputedAt: AT, evidenceDueAt: HOLD_END, endedAt: null },
        }),
        { do: 'notify', notice: 'disputed', said: { before: BOOKED, totals: BOOKED } },
        keep(),
      ],
    ],
  ])('%s', (_, given, happening, changes) => {
    expect(decide(factsWith(given), happening)).toEqual(changes);
  });
});
