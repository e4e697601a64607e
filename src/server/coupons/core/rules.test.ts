import { describe, expect, it } from 'vitest';
import { categoryAfterEdit, isShortTerm } from './rules.ts';

describe('isShortTerm', () => {
  it.each(['a', 'ab', 'é5', '日本', '%%%', '---', "'; '", '+++++'])('has no trigram: %s', (term) => {
    expect(isShortTerm(term)).toBe(true);
  });

  it.each(['abc', '100', 'été', 'a b', '50%', '$10', '--x', '日本語'])('has a trigram: %s', (term) => {
    expect(isShortTerm(term)).toBe(false);
  });
});

it('public codes keep their category, other coupons take the requested one', () => {
  expect(categoryAfterEdit('scraped', 'food')).toBe('scraped');
  expect(categoryAfterEdit('food', 'travel')).toBe('travel');
});
