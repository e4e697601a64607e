import { describe, expect, it } from 'vitest';
import { settlingPrices } from './rules.ts';

describe('the prices that settle a difference in value', () => {
  it.each<[string, (number | null)[], (number | null)[] | null]>([
    ['of a swap: whoever gets more pays the difference', [5_000, 3_000], [2_000, null]],
    [
      'of a ring: each pays what their coupon is worth more than the cheapest',
      [1_000, 4_500, 2_000],
      [null, 3_500, 1_000],
    ],
    ['of equal values are none', [2_000, 2_000], null],
    ['are none for less than a tenth of the largest value', [10_000, 9_001], null],
    ['are for a tenth', [10_000, 9_000], [1_000, null]],
    ['are none where a value is not known', [2_000, null, 4_000], null],
    ['are none where one would be less than the smallest bid', [1_000, 1_299, 4_000], null],
    ['are none where one would be more than the largest bid', [1_100_001, 100_000], null],
  ])('%s', (_, values, prices) => {
    expect(settlingPrices(values)).toEqual(prices);
  });
});
