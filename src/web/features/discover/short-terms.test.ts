import { expect, it } from 'vitest';
import { shortTerms } from './short-terms.ts';

it.each([
  ['Weekdays only', 'Weekdays only'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(80)}…`],
  [`${'x'.repeat(79)} yyy`, `${'x'.repeat(79)}…`],
  // No half of a character is left behind.
  ['🎟'.repeat(81), `${'🎟'.repeat(80)}…`],
])('%s', (terms, shown) => {
  expect(shortTerms(terms)).toBe(shown);
});
