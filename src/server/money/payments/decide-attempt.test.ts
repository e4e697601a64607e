import { describe, expect, it } from 'vitest';
import { AT, BOOKED, PAYMENT } from '#tests/support/payment-facts.ts';
import { failureOf, offsetsOf, refundToAsk, reversalsToAsk } from './decide-attempt.ts';

describe('a refund', () => {
  const all = { totals: BOOKED, target: null, captured: 1_050, pending: 0, unfunded: 0 };
  const part = { ...BOOKED, refunded: 300, feesRefunded: 29 };
  type Given = Partial<Parameters<typeof refundToAsk>[1]>;
  it.each<[string, Given, ReturnType<typeof refundToAsk>]>([
    ['asks for all', {}, { amount: 1_050, platformFee: 100 }],
    ['asks for a part, all of which the fee can pay', { target: 50 }, { amount: 50, platformFee: 50 }],
    ['asks for the rest', { totals: part }, { amount: 750, platformFee: 71 }],
    [
      'asks for what the bank has not taken',
      { totals: { ...BOOKED, lost: 50 } },
      { amount: 1_000, platformFee: 100 },
    ],
    [
      'takes nothing more of a fee that is back',
      { totals: { ...part, feesRefunded: 101 } },
      { amount: 750, platformFee: 0 },
    ],
    ['does not ask for what is on its way', { pending: 1_049 }, { amount: 1, platformFee: 1 }],
    ['waits for what is on its way', { pending: 1_050 }, 'refund'],
    ['has reached its aim', { target: 300, totals: part }, 'refund'],
    ['asks for what can be paid of a granted claim', { unfunded: 950 }, { amount: 100, platformFee: 100 }],
    ['waits until the rest of a granted claim can be paid', { unfunded: 1_050 }, 'seller_money'],
  ])('%s', (_, given, asked) => {
    expect(refundToAsk(PAYMENT, { ...all, ...given })).toEqual(asked);
  });
});

describe('a reversal', () => {
  const payout = (ref: string, amount: number, reversed = 0) => ({
    ...{ ref, amount, reversed },
    ...({ status: 'succeeded', receiver: 'acct_seller', failure: null } as const),
  });
  it.each([
    [
      'of all',
      950,
      [
        { ref: 'a', reversed: 0, amount: 600 },
        { ref: 'c', reversed: 50, amount: 300 },
      ],
    ],
    ['of the first payout', 600, [{ ref: 'a', reversed: 0, amount: 600 }]],
    [
      'of a cent of the next',
      601,
      [
        { ref: 'a', reversed: 0, amount: 600 },
        { ref: 'c', reversed: 50, amount: 1 },
      ],
    ],
    ['of nothing', 0, []],
    ['of what we owe', -5, []],
  ])('%s', (_, owed, parts) => {
    const payouts = [payout('a', 600), payout('b', 100, 100), payout('c', 350, 50)];
    expect(reversalsToAsk(payouts, owed)).toEqual(parts);
  });
});

describe('a payout', () => {
  const debts = [{ owed: 300 }, { owed: 0 }, { owed: 500 }];
  it.each([
    [
      'covers all debts',
      1_000,
      [
        [300, true],
        [500, true],
      ],
    ],
    ['covers the first debt', 300, [[300, true]]],
    [
      'covers a part of the second',
      301,
      [
        [300, true],
        [1, false],
      ],
    ],
    ['of nothing covers none', 0, []],
  ])('%s', (_, due, covered) => {
    expect(offsetsOf(due, debts).map(({ amount, isAll }) => [amount, isAll])).toEqual(covered);
    expect(offsetsOf(due, debts).every(({ debt, amount }) => amount <= debt.owed)).toBe(true);
  });
});

describe('an attempt that failed', () => {
  const WEEK_AGO = new Date(AT.getTime() - 7 * 86_400_000);
  const lastError = 'It is too much.';
  const fresh = { openedAt: AT, waitsFor: null };
  const stuck = { openedAt: AT, waitsFor: 'seller_balance' } as const;
  const over = { givenUpAt: AT, nextTryAt: null };
  type Row = [
    string,
    Parameters<typeof failureOf>[0],
    Parameters<typeof failureOf>[1],
    isRefused: boolean,
    ReturnType<typeof failureOf>,
  ];
  const expected = (change: object = {}, isOver = false, isNewDebt = false) => ({
    change: { lastError, ...change },
    isOver,
    isNewDebt,
  });
  it.each<Row>([
    ['without an answer is tried again', 'payout', fresh, false, expected()],
    ['of a refused payout may ask for less', 'payout', fresh, true, expected({ amount: null })],
    ['of a refused refund', 'refund', fresh, true, expected()],
    ['of a reversal without an answer', 'reversal', fresh, false, expected()],
    [
      'of a refused reversal leaves a debt',
      'reversal',
      fresh,
      true,
      expected({ waitsFor: 'seller_balance' }, false, true),
    ],
    [
      'of a reversal that was refused before',
      'reversal',
      stuck,
      true,
      expected({ waitsFor: 'seller_balance' }),
    ],
    ['is over after a week', 'refund', { ...fresh, openedAt: WEEK_AGO }, false, expected(over, true)],
    [
      'of a reversal is over after a week, and leaves a debt',
      'reversal',
      { ...fresh, openedAt: WEEK_AGO },
      false,
      expected(over, true, true),
    ],
  ])('%s', (_, kind, taken, isRefused, failure) => {
    expect(failureOf(kind, taken, { lastError, isRefused, at: AT })).toEqual(failure);
  });
});
