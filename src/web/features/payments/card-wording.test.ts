import { describe, expect, it } from 'vitest';
import { cardName, expiryText } from './card-wording.ts';
import { ageText } from './claim-wording.ts';

describe('a saved card', () => {
  it.each([
    ['visa', 'Visa •••• 4242'],
    ['amex', 'American Express •••• 4242'],
    ['New Bank', 'New Bank •••• 4242'],
  ])('of %s is called %s', (brand, name) => {
    expect(cardName({ brand, lastFour: '4242' })).toBe(name);
  });

  it.each([
    [2030, 3, 'Expired 03/2030'],
    [2030, 4, 'Expires 04/2030'],
    [2029, 12, 'Expired 12/2029'],
    [2031, 1, 'Expires 01/2031'],
  ])('is good until the end of its month: %i-%i', (expiryYear, expiryMonth, text) => {
    expect(expiryText({ expiryYear, expiryMonth }, new Date(2030, 3, 30)).text).toBe(text);
  });
});

describe('how long a claim has waited', () => {
  it.each([
    [30, 'just now'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [7_200, '2 hours ago'],
    [86_399, '23 hours ago'],
    [86_400 * 3, '3 days ago'],
  ])('is after %i seconds "%s"', (seconds, text) => {
    const now = new Date('2030-04-15T12:00:00Z');
    expect(ageText(new Date(now.getTime() - seconds * 1_000).toISOString(), now)).toBe(text);
  });
});
