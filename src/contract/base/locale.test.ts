import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { speak, Texts } from './i18n.ts';
import {
  alternatives,
  discountPercentText,
  formatDay,
  formatNumber,
  listed,
  percentText,
  utcDayAndTime,
} from './locale.ts';
import { formatMoney, moneyText, signedMoney } from './money.ts';

describe('in French', () => {
  const french = new Texts('fr');
  let before: () => Texts;
  beforeEach(() => {
    before = speak(() => french);
  });
  afterEach(() => {
    speak(before);
  });

  it('numbers, money, days and lists are written as in Québec', () => {
    expect(formatNumber(1240)).toBe('1\u00a0240');
    expect(percentText(450)).toBe('4,5\u00a0%');
    expect([2000, 1250].map(discountPercentText)).toEqual(['20\u00a0%', '12,5\u00a0%']);
    expect(signedMoney(1_000, 'CAD')).toBe('10,00\u00a0$');
    expect(formatMoney(2_500, 'CAD')).toBe('25,00\u00a0$ CAD');
    expect(moneyText('-3.00')).toBe('−3,00\u00a0$ CAD');
    expect(formatDay('2026-11-21')).toBe('21 nov. 2026');
    expect(['2026-12-01', '2026-08-11'].map(formatDay)).toEqual(['1er déc. 2026', '11 août 2026']);
    expect(utcDayAndTime('2027-05-01T04:05:00Z')).toEqual(['1er mai 2027', '4 h 05']);
    expect(listed(['A', 'B', 'C'])).toBe('A, B et C');
    expect(alternatives(['A', 'B', 'C'])).toBe('A, B ou C');
  });
});

it('a rate has as many decimals as it needs, what a coupon takes off has two', () => {
  expect([500, 450, 1234, 2000].map(percentText)).toEqual(['5%', '4.5%', '12.34%', '20%']);
  expect([2000, 1250].map(discountPercentText)).toEqual(['20.00%', '12.50%']);
});
