import { describe, expect, it } from 'vitest';
import { allowed, fitOf, givesOf, urgencyOf } from './rules.ts';

const updatedAt = new Date(0);
const coupon = (id: number, ownerId: number, minValue: number | null = null) => ({
  id,
  ownerId,
  minValue,
  updatedAt,
});
const want = (id: number, userId: number, given: object = {}) =>
  ({ id, userId, times: 1, minValue: null, gives: 'any', ...given }) as const;
const NOTHING = { gifts: [], takes: [], allowances: new Map() };

describe('what is given', () => {
  it('for a wish is its person’s coupons alone: any, or those that it names', () => {
    const coupons = [coupon(1, 10), coupon(2, 10), coupon(3, 11)];
    const wants = [want(7, 10), want(8, 10, { gives: 'some' })];
    const gifts = [
      { wantId: 8, couponId: 2 },
      { wantId: 8, couponId: 3 },
    ];
    expect(givesOf({ ...NOTHING, coupons, wants, gifts })).toEqual([
      { wantId: 7, couponId: 1 },
      { wantId: 7, couponId: 2 },
      { wantId: 8, couponId: 2 },
    ]);
  });

  it.each([
    [null, null, true],
    [1_000, null, false],
    [1_000, 999, false],
    [1_000, 1_000, true],
    [null, 1_000, true],
  ])('where the coupon asks for %s and the wish takes nothing below %s: %s', (asked, least, isGiven) => {
    const offered = {
      ...NOTHING,
      coupons: [coupon(1, 10, asked)],
      wants: [want(7, 10, { minValue: least })],
    };
    expect(givesOf(offered)).toHaveLength(isGiven ? 1 : 0);
  });
});

it('lets new members trade as often as they may have deals', () => {
  const wants = [
    want(1, 10, { times: 2 }),
    want(2, 11, { times: 5 }),
    want(3, 10, { times: 3 }),
    want(4, 10),
  ];
  const times = (allowances: [number, number][]) =>
    allowed({ wants, allowances: new Map(allowances) }).map(({ id, times }) => [id, times]);
  expect(times([[10, 3]])).toEqual([
    [1, 2],
    [2, 5],
    [3, 1],
  ]);
  expect(times([[11, 0]])).toEqual([
    [1, 2],
    [3, 3],
    [4, 1],
  ]);
});

it('prefers sure codes, then those that expire soon', () => {
  expect(fitOf({ health: 40, isConfirmed: true })).toBe(9);
  expect([null, 0, 59, 60, 100].map((health) => fitOf({ health, isConfirmed: false }))).toEqual([
    0, 0, 5, 6, 8,
  ]);
  expect([null, 31, 30, 14, 7, 3, 0].map(urgencyOf)).toEqual([0, 0, 1, 2, 3, 4, 4]);
});
