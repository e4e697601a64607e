import { describe, expect, it } from 'vitest';
import { centsToDecimal, convertFromBase, decimalToCents, formatMoney } from './money.ts';

describe('money', () => {
  it('reads and writes decimals without floating point [spec/1 9.5] [spec/2 9.5]', () => {
    for (const cents of [0, 1, 9, 10, 99, 100, 101, 1999, 99_999_999]) {
      expect(decimalToCents(centsToDecimal(cents))).toBe(cents);
    }
    expect(decimalToCents('3')).toBe(300);
    expect(decimalToCents('3.5')).toBe(350);
    for (const text of ['', '-1', '1.234', '1e3', ' 1', '1,00', 'NaN', 'Infinity', '123456789']) {
      expect(() => decimalToCents(text)).toThrow(RangeError);
    }
  });

  it('converts by the fixed rates, rounded half-up once [spec/1 5.4 9.4]', () => {
    expect(convertFromBase(2500, 'CAD')).toBe(2500);
    expect(convertFromBase(136, 'USD')).toBe(100);
    // 1 cent CAD is 0.7352… cents USD
    expect(convertFromBase(1, 'USD')).toBe(1);
    // 25.00 CAD = 18.38235… USD = 2823.3… yen, which have no minor unit
    expect(convertFromBase(2500, 'JPY')).toBe(2823);
    expect(convertFromBase(2500, 'INR')).toBe(152_904);
  });

  it('always names the currency of a dollar amount', () => {
    expect(formatMoney(2500, 'CAD')).toBe('$25.00 CAD');
    expect(formatMoney(2500, 'USD')).toBe('$18.38 USD');
    expect(formatMoney(2500, 'JPY')).toBe('¥2,823 JPY');
    expect(formatMoney(2500, 'EUR')).toBe('€16.91 EUR');
  });
});
