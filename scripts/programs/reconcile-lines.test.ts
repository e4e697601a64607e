import { describe, expect, it } from 'vitest';
import { linesOf, readDays } from './reconcile-lines.ts';

const NOW = new Date('2026-11-22T15:00:00Z');

describe('the days to compare', () => {
  it('are whole days in UTC, by default the last seven and today', () => {
    expect(readDays(['--from', '2026-11-01', '--to', '2026-11-21'], NOW)).toEqual({
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date('2026-11-22T00:00:00Z'),
    });
    expect(readDays([], NOW)).toEqual({
      from: new Date('2026-11-15T00:00:00Z'),
      to: new Date('2026-11-23T00:00:00Z'),
    });
  });

  it.each([
    ['no date', ['--from', 'yesterday']],
    ['an end before the beginning', ['--from', '2026-11-21', '--to', '2026-11-01']],
    ['an unknown option', ['--since', '2026-11-21']],
  ])('are refused: %s', (_, args) => {
    expect(() => readDays(args, NOW)).toThrow();
  });
});

it('prints each difference to the cent, and other money apart', () => {
  const about = { provider: 'stripe', isHandled: false } as const;
  const lines = linesOf({
    payments: 3,
    differences: [
      { ...about, ref: 'a:refund', paymentId: 7, kind: 'refund', ours: 0, theirs: 1 },
      { ...about, ref: 'b:payout', paymentId: 8, kind: 'payout', ours: 950, theirs: 0, isHandled: true },
      { ...about, ref: 'c:capture', paymentId: 9, kind: 'capture', ours: 1_050, theirs: 1_049 },
      { ...about, ref: 'txn_1:capture', paymentId: null, kind: 'capture', ours: 0, theirs: 1_050 },
    ],
    closed: 0,
    foreign: [
      {
        ref: 'txn_2',
        at: NOW,
        kind: null,
        amount: -5_000,
        publicId: null,
        chargeRef: null,
        isOwnAccount: true,
        text: 'STRIPE PAYOUT',
      },
    ],
    undecided: 2,
    closedAccounts: ['MERCHANT2'],
  });
  expect(lines).toEqual([
    '3 payments, 4 differences.',
    '  a:refund (payment 7): refund is missing with us: ours 0.00, theirs 0.01',
    '  b:payout (payment 8): payout is missing there: ours 9.50, theirs 0.00 (handled)',
    '  c:capture (payment 9): capture is another amount: ours 10.50, theirs 10.49',
    '  txn_1:capture of a payment that we do not have: capture is missing with us: ours 0.00, theirs 10.50',
    '2 payments cannot be compared yet.',
    'We may not look into the account MERCHANT2.',
    'On our account, but not of our payments:',
    '  2026-11-22T15:00:00.000Z txn_2 -50.00 STRIPE PAYOUT',
  ]);
});
