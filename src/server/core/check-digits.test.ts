import { describe, expect, it } from 'vitest';
import { expandUpcE, hasGtinCheckDigit, hasLuhnCheckDigit } from './check-digits.ts';

/** Generates the same numbers in every run. */
function* pseudoRandomDigits(length: number, count: number): Generator<string> {
  let state = 20_261_121;
  for (let made = 0; made < count; made += 1) {
    let digits = '';
    while (digits.length < length) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      digits += String(state >>> 16).slice(-4);
    }
    yield digits.slice(0, length);
  }
}

const DIGITS = [...'0123456789'];

/** Every text that differs from this one in exactly one digit. */
function* flipped(digits: string): Generator<string> {
  for (let place = 0; place < digits.length; place += 1) {
    for (const digit of DIGITS) {
      if (digit !== digits[place]) yield digits.slice(0, place) + digit + digits.slice(place + 1);
    }
  }
}

describe('check digits of known numbers', () => {
  it.each([
    ['GTIN-8', '96385074'],
    ['UPC-A', '036000291452'],
    ['EAN-13', '4006381333931'],
    ['EAN-13 of a UPC-A', '0036000291452'],
    ['GTIN-14', '10614141000415'],
  ])('accepts the %s %s', (_format, digits) => {
    expect(hasGtinCheckDigit(digits)).toBe(true);
  });

  it.each(['4111111111111111', '79927398713', '6006491727005748186'])(
    'accepts %s by Luhn’s method',
    (digits) => {
      expect(hasLuhnCheckDigit(digits)).toBe(true);
    },
  );
});

describe.each([
  ['GTIN', hasGtinCheckDigit, [8, 12, 13, 14]],
  ['Luhn', hasLuhnCheckDigit, [16, 17, 18, 19]],
] as const)('%s', (_name, hasCheckDigit, lengths) => {
  it.each(lengths)('accepts exactly one check digit for %i digits, and detects one wrong digit', (length) => {
    for (const body of pseudoRandomDigits(length - 1, 50)) {
      const right = DIGITS.map((digit) => body + digit).filter(hasCheckDigit);
      expect(right).toHaveLength(1);
      for (const wrong of flipped(right[0] ?? '')) expect(hasCheckDigit(wrong), wrong).toBe(false);
    }
  });
});

it('Luhn detects two swapped neighbours, except 09 and 90', () => {
  for (const body of pseudoRandomDigits(15, 50)) {
    const right = DIGITS.map((digit) => body + digit).find(hasLuhnCheckDigit) ?? '';
    for (let place = 0; place + 1 < right.length; place += 1) {
      const pair = right.slice(place, place + 2);
      if (pair[0] === pair[1] || pair === '09' || pair === '90') continue;
      const wrong = `${right.slice(0, place)}${pair[1]}${pair[0]}${right.slice(place + 2)}`;
      expect(hasLuhnCheckDigit(wrong), wrong).toBe(false);
    }
  }
});

describe('UPC-E', () => {
  it.each([
    ['01234505', '012000003455'],
    ['01234514', '012100003454'],
    ['01234523', '012200003453'],
    ['01234531', '012300000451'],
    ['01234543', '012340000053'],
    ['01234558', '012345000058'],
    ['01234565', '012345000065'],
    ['01234596', '012345000096'],
  ])('expands %s to %s', (short, long) => {
    expect(expandUpcE(short)).toBe(long);
    expect(hasGtinCheckDigit(long)).toBe(true);
  });

  it('keeps the number system and the check digit', () => {
    expect(expandUpcE('04252614')).toBe('042100005264');
    expect(hasGtinCheckDigit(expandUpcE('04252614') ?? '')).toBe(true);
    expect(expandUpcE('14252614')).toMatch(/^1.*4$/);
  });

  it.each(['24252614', '0425261', '042526144', '0425261a'])('refuses %s', (digits) => {
    expect(expandUpcE(digits)).toBeNull();
  });
});
