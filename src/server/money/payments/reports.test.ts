import { describe, expect, it } from 'vitest';
import type { Totals } from '#server/money/books/ledger.ts';
import { NOTHING_MOVED, type PaymentState, type Payout } from '#server/providers/payments.ts';
import { BOOKED, PAYMENT, STATE } from '#tests/support/payment-facts.ts';
import { publicIdOf } from '#tests/support/public-ids.ts';
import { isDuplicate, isOutdated, mismatchOf, totalsOf, wrongPayout } from './reports.ts';
import type { Payment } from './store.ts';

const payout = (change: Partial<Payout> = {}): Payout => ({
  ref: 'tr_1',
  status: 'succeeded',
  amount: 950,
  reversed: 0,
  receiver: 'acct_seller',
  failure: null,
  ...change,
});
const paidOut = (...payouts: readonly Payout[]): PaymentState => ({ ...STATE, payouts });

describe('a report', () => {
  it.each<[Partial<PaymentState>, Partial<Payment>, boolean]>([
    [{ ref: 'pi_2', status: 'open' }, {}, true],
    [{ status: 'open' }, {}, false],
    [{ ref: 'pi_2' }, {}, false],
    [{ ref: 'pi_2', status: 'open' }, { ref: null }, false],
    [{ ref: 'pi_2', status: 'open', publicId: publicIdOf(2) }, {}, false],
  ])('may be of a duplicate that nobody can pay (%#)', (state, payment, expected) => {
    expect(isDuplicate({ ...PAYMENT, ...payment }, { ...STATE, ...state })).toBe(expected);
  });

  it.each<[Partial<PaymentState>, Partial<Payment>, string | null]>([
    [{}, {}, null],
    [{}, { ref: null }, null],
    [{ publicId: null }, {}, null],
    [{ receiver: null }, {}, null],
    [{ ref: 'pi_2' }, {}, 'It is another payment'],
    [{ publicId: publicIdOf(2) }, {}, 'It is another payment'],
    [{ currency: 'USD' }, {}, 'Its currency is USD'],
    [{ amount: 1_049 }, {}, 'Its amount is 1049 cents'],
    [{ receiver: 'acct_other' }, {}, 'It is for another account'],
    [{ totals: NOTHING_MOVED }, {}, 'Captured are 0 cents'],
    [{ totals: NOTHING_MOVED, status: 'processing' }, {}, null],
  ])('is compared with what we have asked for (%#)', (state, payment, expected) => {
    expect(mismatchOf({ ...PAYMENT, ...payment }, { ...STATE, ...state })).toBe(expected);
  });

  it.each<[PaymentState, Partial<Totals>, boolean]>([
    [STATE, {}, false],
    [STATE, { transferred: 950 }, true],
    [paidOut(payout()), { transferred: 950 }, false],
    [paidOut(payout({ amount: 949 })), { transferred: 950 }, true],
    [paidOut(payout({ status: 'pending' })), { transferred: 950 }, true],
    [paidOut(payout({ status: 'failed' })), { transferred: 950 }, false],
    [paidOut(payout({ amount: 1 }), payout({ status: 'failed' })), { transferred: 950 }, false],
  ])('is outdated if a payout is booked that it does not know (%#)', (state, booked, expected) => {
    expect(isOutdated(PAYMENT, state, { ...BOOKED, ...booked })).toBe(expected);
  });

  it.each([
    ['it knows all', { refunded: 300 }, 300, 0, false],
    ['it knows more', { refunded: 300 }, 0, 0, false],
    ['it was read before the refund', { refunded: 0 }, 300, 0, true],
    ['the refund has failed since', { refunded: 0, refundFailed: 300 }, 300, 0, false],
    ['the refund has failed before, and was made again', { refunded: 300, refundFailed: 300 }, 0, 300, false],
    ['it was read before the second try', { refunded: 0, refundFailed: 300 }, 300, 300, true],
    ['it was read before the failure', { refunded: 300 }, 0, 300, true],
  ])(
    'is outdated if a refund is booked that it does not know: %s',
    (_, totals, refunded, refundFailed, expected) => {
      const state = { ...STATE, totals: { ...STATE.totals, ...totals } };
      expect(isOutdated({ refundFailed }, state, { ...BOOKED, refunded })).toBe(expected);
    },
  );

  it('gives the ledger its totals, and leaves what it does not know', () => {
    const totals = { ...NOTHING_MOVED, captured: 1_050, refunded: 300, withdrawn: 20, lost: 10 };
    const state = { ...paidOut(payout({ reversed: 50 }), payout({ amount: 7, reversed: 2 })), totals };
    const booked = { ...BOOKED, collected: 5, feesRefunded: 1 };
    expect(totalsOf(PAYMENT, state, booked)).toEqual({
      ...booked,
      ...{ refunded: 300, withdrawn: 20, lost: 10, transferred: 957, reversed: 52 },
      // Our share of 3.00, as the provider does not say it.
      feesRefunded: 29,
    });
    const told = { ...state, totals: { ...totals, providerFees: 70, feesRefunded: 0 } };
    expect(totalsOf(PAYMENT, told, booked)).toMatchObject({ providerFees: 70, feesRefunded: 0 });
  });
});

describe('a payout', () => {
  it.each<[string, PaymentState, Partial<Payment>, asked: number, problem: string | null]>([
    ['none', STATE, {}, 0, null],
    [
      'to another account',
      paidOut(payout({ receiver: 'acct_other' })),
      {},
      950,
      'Payout tr_1 went to another account',
    ],
    ['of what is due', paidOut(payout()), {}, 0, null],
    ['of what was asked for', paidOut(payout({ amount: 500 })), {}, 500, null],
    ['of less than was asked for', paidOut(payout({ amount: 499 })), {}, 500, null],
    ['of more', paidOut(payout({ amount: 501 })), {}, 500, 'Payouts of 501 cents were not asked for'],
    ['by PayPal itself', paidOut(payout({ amount: 501 })), { provider: 'paypal' }, 0, null],
  ])('%s is right, or somebody has to look at it', (_, state, payment, asked, problem) => {
    expect(wrongPayout({ ...PAYMENT, ...payment }, state, BOOKED, asked)).toBe(problem);
  });

  it('that was due before a refund is right, as is one of what is due after it', () => {
    const totals = { ...STATE.totals, refunded: 300 };
    for (const amount of [950, 950 - 271])
      expect(wrongPayout(PAYMENT, { ...paidOut(payout({ amount })), totals }, BOOKED, 0)).toBeNull();
    const other = { ...paidOut(payout({ amount: 800 })), totals };
    expect(wrongPayout(PAYMENT, other, BOOKED, 0)).toBe('Payouts of 800 cents were not asked for');
  });

  it('that is gone after it was booked is looked at by somebody, unless PayPal says so', () => {
    const booked = { ...BOOKED, transferred: 950 };
    const gone = 'Payouts of -950 cents were not asked for';
    expect(wrongPayout(PAYMENT, STATE, booked, 950)).toBe(gone);
    expect(wrongPayout({ ...PAYMENT, provider: 'paypal' }, STATE, booked, 950)).toBeNull();
  });
});
