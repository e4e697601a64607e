import { expect, it } from 'vitest';
import { doubtOf } from './offer-score.ts';

const order = (...answers: [worked: number, failed: number][]) =>
  answers.toSorted((one, other) => doubt(one) - doubt(other));
const doubt = ([worked, failed]: [number, number]) => doubtOf({ worked, failed });

it('orders codes by how surely they work: one lucky answer counts less than many', () => {
  expect(order([0, 0], [1, 0], [0, 1], [90, 10], [5, 0], [0, 9], [900, 100])).toEqual([
    [900, 100],
    [90, 10],
    [5, 0],
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 9],
  ]);
});

it('is what the database takes for a code of which nobody has said anything', () => {
  expect(doubtOf({ worked: 0, failed: 0 })).toBe(7_318);
  expect(doubtOf({ worked: 1_000_000, failed: 0 })).toBeGreaterThanOrEqual(0);
  expect(doubtOf({ worked: 0, failed: 1_000_000 })).toBeLessThanOrEqual(10_000);
});
