import { describe, expect, it } from 'vitest';
import { categoryAfterEdit, codeIdentity, isShortTerm } from './rules.ts';

describe('a short term', () => {
  it.each(['a', 'ab', 'é5', '日本', '%%%', '---', "'; '", '+++++'])('has no trigram: %s', (term) => {
    expect(isShortTerm(term)).toBe(true);
  });

  it.each(['abc', '100', 'été', 'a b', '50%', '$10', '--x', '日本語'])('is not: %s', (term) => {
    expect(isShortTerm(term)).toBe(false);
  });
});

describe('the identity of a code', () => {
  const identity = codeIdentity('Tea House', 'AB12CD');

  it.each([
    ['Tea House', 'ab12cd'],
    [' TEA \t HOUSE ', 'AB 12 CD'],
    ['tea\u00a0house', '-AB-12–CD—'],
    ['Tea House', 'A\u200bB12\u2060CD'],
    ['Ｔｅａ Ｈｏｕｓｅ', 'ＡＢ１２ＣＤ'],
  ])('is one for all its spellings: %s, %s', (merchant, code) => {
    expect(codeIdentity(merchant, code)).toBe(identity);
  });

  it.each([
    ['TeaHouse', 'AB12CD'],
    ['Tea House', 'AB12CE'],
    ['Tea House', 'AB12C'],
    ['Tea', 'House AB12CD'],
    ['Tea House', 'AB_12CD'],
  ])('differs for %s, %s', (merchant, code) => {
    expect(codeIdentity(merchant, code)).not.toBe(identity);
  });
});

it('public codes keep their category, others take the wanted one', () => {
  expect(categoryAfterEdit('scraped', 'food')).toBe('scraped');
  expect(categoryAfterEdit('food', 'travel')).toBe('travel');
});
