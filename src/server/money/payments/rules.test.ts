import { describe, expect, it } from 'vitest';
import { PAYMENT_STATUSES } from '#contract/money/payments.ts';
import {
  areHeld,
  endOfPayable,
  endOfWait,
  holdUntil,
  isCommitted,
  isGivenUp,
  isHopeless,
  isPayable,
  isUnsettled,
  nextTry,
  refundObstacle,
  saleOf,
  unsettledStatus,
} from './rules.ts';

const AT = new Date('2035-06-01T12:00:00Z');
const SETTLED = ['held', 'releasing', 'completed', 'refunding', 'refunded', 'charged_back'] as const;

describe('a payment', () => {
  it('can be paid, is under way, or has ended unpaid, by its status', () => {
    expect(PAYMENT_STATUSES.filter(isPayable)).toEqual(['created', 'open']);
    expect(PAYMENT_STATUSES.filter(isUnsettled)).toEqual(['created', 'open', 'processing']);
    expect(PAYMENT_STATUSES.filter(isGivenUp).sort()).toEqual(['cancelled', 'failed']);
  });

  it.each([
    ['created', 'open', 'open'],
    ['created', 'approved', 'open'],
    ['processing', 'requires_action', 'open'],
    ['open', 'processing', 'processing'],
    ['processing', 'failed', 'failed'],
    ['open', 'cancelled', 'cancelled'],
    ['cancelled', 'open', 'cancelled'],
    ['held', 'failed', 'held'],
  ] as const)('that is %s and reported as %s is %s', (current, reported, expected) => {
    expect(unsettledStatus(current, reported)).toBe(expected);
  });

  it('has a buyer who has committed something, or only looks', () => {
    const reports = ['open', 'approved', 'requires_action', 'processing', 'cancelled', 'failed'] as const;
    expect(reports.filter(isCommitted)).toEqual(['approved', 'requires_action', 'processing']);
  });

  it('is a sale whose outcome its status says', () => {
    expect(SETTLED.map(saleOf)).toEqual(['held', 'final', 'final', 'undone', 'undone', 'undone']);
    const others = PAYMENT_STATUSES.filter((status) => !SETTLED.some((settled) => settled === status));
    expect(new Set(others.map(saleOf))).toEqual(new Set(['unpaid']));
  });

  it('is held for 72 hours', () => {
    expect(holdUntil(AT)).toEqual(new Date('2035-06-04T12:00:00Z'));
  });

  it('is a price of an exchange that waits for the others', () => {
    const held = { status: 'held', isDisputed: false } as const;
    expect(areHeld([held, held])).toBe(true);
    expect(areHeld([held, { ...held, isDisputed: true }])).toBe(false);
    expect(areHeld([{ ...held, status: 'open' }, held])).toBe(false);
    const [payment, price] = [
      { status: 'held', holdUntil: null },
      { status: 'accepted', exchangeId: 1 },
    ] as const;
    expect(endOfWait(payment, price)).toBe('complete');
    expect(endOfWait(payment, { ...price, status: 'cancelled' })).toBe('refund');
    expect(endOfWait(payment, { ...price, status: 'completed' })).toBeNull();
    expect(endOfWait(payment, { ...price, exchangeId: null })).toBeNull();
    expect(endOfWait({ ...payment, status: 'refunding' }, price)).toBeNull();
    expect(endOfWait({ ...payment, holdUntil: AT }, price)).toBeNull();
  });

  it.each([
    [{}, null],
    [{ captured: 0 }, 'Nothing was paid.'],
    [{ isDisputed: true }, /bank disputes/],
    [{ returned: 1_049 }, null],
    [{ returned: 1_050 }, /already got all/],
    [{ returned: 1_051 }, /already got all/],
    [{ isRefunding: true }, /in progress/],
  ])('can be refunded unless something stands in the way (%#)', (change, obstacle) => {
    const paid = { isDisputed: false, captured: 1_050, returned: 0, isRefunding: false, ...change };
    if (obstacle === null) expect(refundObstacle(paid)).toBeNull();
    else expect(refundObstacle(paid)).toMatch(obstacle);
  });
});

describe('a bid that is to be paid', () => {
  const soon = new Date(AT.getTime() + 1);
  const past = new Date(AT.getTime() - 1);
  const bid = { status: 'accepted', exchangeId: 9, deadlineAt: soon, couponExpiresAt: soon } as const;
  it.each<[string, Partial<Parameters<typeof endOfPayable>[0]>, ReturnType<typeof endOfPayable>]>([
    ['goes on until its time is over', {}, null],
    ['ends then', { deadlineAt: AT }, 'deadline'],
    ['has no end', { deadlineAt: null, couponExpiresAt: null }, null],
    ['is the price of an exchange, whose coupon has its last day', { couponExpiresAt: AT }, null],
    ['is the price of an exchange, whose coupon has expired', { couponExpiresAt: past }, 'coupon_expired'],
    [
      'is a sale: payments say that its coupon has expired',
      { exchangeId: null, couponExpiresAt: past },
      null,
    ],
    ['is paid', { status: 'completed', deadlineAt: past, couponExpiresAt: past }, null],
  ])('%s', (_, over, end) => {
    expect(endOfPayable({ ...bid, ...over }, AT)).toBe(end);
  });
});

describe('an act at a provider', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 4],
    [6, 32],
    [7, 60],
    [5_000, 60],
  ])('after %i tries waits %i minutes', (attempts, minutes) => {
    expect(nextTry(attempts, AT).getTime() - AT.getTime()).toBe(minutes * 60_000);
  });

  it('is given up after seven days', () => {
    const weekAgo = AT.getTime() - 7 * 86_400_000;
    expect(isHopeless(new Date(weekAgo), AT)).toBe(true);
    expect(isHopeless(new Date(weekAgo + 1), AT)).toBe(false);
  });
});
