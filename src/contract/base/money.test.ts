import { describe, expect, it } from 'vitest';
import { currencyName, roundAmount } from './base-currency.ts';
import {
  centsToDecimal,
  chargeIn,
  convertFromBase,
  convertToBase,
  decimalToCents,
  formatMoney,
  moneyText,
} from './money.ts';

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

  it('converts from and to the currency of the market, and has amounts of its size', () => {
    chargeIn('INR');
    try {
      expect(convertFromBase(8_318, 'USD')).toBe(100);
      expect(convertFromBase(8_318, 'INR')).toBe(8_318);
      expect([convertToBase(100, 'USD'), convertToBase(15_359, 'JPY'), convertToBase(1, 'INR')]).toEqual([
        8_318, 8_318, 1,
      ]);
      expect(moneyText('-1250.00')).toBe('−₹1,250.00 INR');
      expect([roundAmount(300), currencyName()]).toEqual([15_000, 'Indian rupees']);
    } finally {
      chargeIn('CAD');
    }
    expect([convertToBase(100, 'USD'), convertToBase(2_823, 'CAD'), roundAmount(300)]).toEqual([
      136, 2_823, 300,
    ]);
    expect(currencyName()).toBe('Canadian dollars');
  });

  it('always names the currency of a dollar amount', () => {
    expect(formatMoney(2500, 'CAD')).toBe('$25.00 CAD');
    expect(formatMoney(2500, 'USD')).toBe('$18.38 USD');
    expect(formatMoney(2500, 'JPY')).toBe('¥2,823 JPY');
    expect(formatMoney(2500, 'EUR')).toBe('€16.91 EUR');
  });
});
