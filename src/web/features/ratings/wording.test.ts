import { expect, it } from 'vitest';
import { meanText, ofTen } from './wording.ts';

it('says what a rating is out of', () => {
  expect(ofTen(9)).toBe('9 of 10');
});

it('shows a mean with one decimal, always', () => {
  expect(meanText(8.64, 12)).toBe('8.6 of 10 from 12 ratings');
  expect(meanText(9, 1)).toBe('9.0 of 10 from 1 rating');
  expect(meanText(null, 0)).toBe('No ratings yet');
});
