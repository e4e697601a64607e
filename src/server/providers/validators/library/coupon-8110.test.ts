import { describe, expect, it } from 'vitest';
import { type Coupon8110, parseCoupon8110 } from './coupon-8110.ts';
import { readGs1Day } from './digit-reader.ts';
import { meaningOf } from './meanings.ts';

const now = new Date('2026-11-21T12:00:00Z');

function couponOf(data: string): Coupon8110 {
  const read = parseCoupon8110(data, now);
  if ('problem' in read) throw new Error(read.problem.name);
  return read.coupon;
}

/** Builds a code: the first six parts for maker 0614141 and offer 654321, then the given rest. */
const base = (saveValue: string, amount = '1', code = '0') =>
  `1${'0614141'}654321${saveValue.length}${saveValue}${amount.length}${amount}${code}120`;
const second = (rule: string, amount = '3', code = '0') => `1${rule}${amount.length}${amount}${code}8509`;
const third = (amount = '2', code = '0') => `2${amount.length}${amount}${code}2569`;

describe('reading an 8110 coupon', () => {
  it('reads every part', () => {
    const data = `${base('89')}12120850${'10048000'}21402569${'3301231'}${'4261001'}91201`;
    expect(couponOf(data)).toEqual({
      companyPrefix: '0614141',
      offerCode: '654321',
      saveValue: 89,
      saveValueCode: '1',
      appliesTo: '2',
      storeFlag: '0',
      isMultiplicationForbidden: true,
      purchases: [
        { amount: 1, code: '0', family: '120', companyPrefix: null },
        { amount: 2, code: '0', family: '850', companyPrefix: '0048000' },
        { amount: 4, code: '0', family: '256', companyPrefix: null },
      ],
      rule: '2',
      expiryDate: '2030-12-31',
      startDate: '2026-10-01',
      serialNumber: null,
      retailer: null,
    });
    expect(couponOf(`${base('89')}51${'7654321'}61${'0099887'}`)).toMatchObject({
      serialNumber: '7654321',
      retailer: '0099887',
    });
  });

  it('reads a missing part as null', () => {
    expect(couponOf(base('250'))).toMatchObject({
      saveValueCode: '0',
      appliesTo: null,
      purchases: [{ family: '120' }, null, null],
      rule: null,
      expiryDate: null,
      startDate: null,
      serialNumber: null,
      retailer: null,
    });
  });

  it('compares days, not digits, across the turn of the century', () => {
    const over2000 = `${base('250')}30001314991201`;
    expect(couponOf(over2000)).toMatchObject({ startDate: '1999-12-01', expiryDate: '2000-01-31' });
  });
});

describe('meanings', () => {
  it.each([
    ['an amount', base('250'), 250, 'fixed', '2.50 off', 'Buy 1 item of the qualifying product'],
    ['one free', `${base('0')}91000`, null, null, 'One item free', 'Buy 1 item of the qualifying product'],
    [
      'one free up to a cap',
      `${base('100', '2')}91000`,
      null,
      null,
      'One item free, worth up to 1.00',
      'Buy 2 items of the qualifying product',
    ],
    ['several free', `${base('3')}92000`, null, null, '3 items free', 'Buy 1 item of the qualifying product'],
    ['a percentage', `${base('15')}95000`, 1_500, 'percentage', '15% off', expect.any(String)],
    ['all of it', `${base('100')}95000`, 10_000, 'percentage', '100% off', expect.any(String)],
    ['no percentage that there is', `${base('101')}95000`, null, null, null, expect.any(String)],
    ['off the basket', `${base('500')}96000`, 500, 'fixed', '5.00 off the whole basket', expect.any(String)],
    ['nothing', base('0'), null, null, null, expect.any(String)],
    ['the largest', base('99999'), 99_999, 'fixed', '999.99 off', expect.any(String)],
  ])('%s', (_what, data, value, discountType, description, requirement) => {
    expect(meaningOf(couponOf(data))).toEqual({ value, discountType, description, requirement });
  });

  it.each([
    [base('50', '1050', '1'), 'Buy 10.50 worth of the qualifying product'],
    [base('50', '1050', '2'), 'Buy 10.50 worth in all'],
    [base('50', '150', '3'), 'Buy 1.50 lb of the qualifying product'],
    [base('50', '1500', '4'), 'Buy 1.500 kg of the qualifying product'],
    [base('50', '1', '9'), 'Buy the qualifying product, as the coupon says (the cashier looks)'],
    [base('50', '0', '0'), 'Buy the qualifying product, as the coupon says'],
    [base('50') + second('0'), 'Buy 1 item of the first product or 3 items of the second product'],
    [
      base('50') + second('1') + third(),
      'Buy 1 item of the first product and 3 items of the second product and 2 items of the third product',
    ],
    [
      base('50') + second('2') + third(),
      'Buy 1 item of the first product and either 3 items of the second product or 2 items of the third product',
    ],
    [base('50') + second('2'), 'Buy 1 item of the first product and 3 items of the second product'],
    [base('50') + second('3') + third(), 'Buy 3 items of the second product or 2 items of the third product'],
    [base('50') + third(), 'Buy 1 item of the first product; 2 items of the third product may be needed too'],
  ])('describes the requirement of %s: %s', (data, requirement) => {
    expect(meaningOf(couponOf(data)).requirement).toBe(requirement);
  });

  it.each([
    [
      '106141410222223100110222111101231023456721104561045678991201',
      'One item free, worth up to 1.00 (on the third product)',
      'Buy 1 item of the first product and 1 item of the second product and 1 item of the third product',
      null,
    ],
    [
      '106141410012342501106501013085093101231',
      '0.50 off',
      'Buy 1 item of the first product or 3 items of the second product',
      '2010-12-31',
    ],
    [
      '106141411234562891101201212085010048000214025610048000310123191000',
      'One item free, worth up to 0.89 (on the first product)',
      'Buy 1 item of the first product and either 2 items of the second product or 4 items of the third product',
      '2010-12-31',
    ],
    [
      '106141416543213500110000310123196000',
      '5.00 off the whole basket',
      'Buy 1 item of the qualifying product',
      '2010-12-31',
    ],
  ])('GS1’s example %s', (data, description, requirement, expiryDate) => {
    const coupon = couponOf(data);
    expect(meaningOf(coupon)).toMatchObject({ description, requirement });
    expect(coupon.expiryDate).toBe(expiryDate);
  });

  it('names the product that becomes cheaper', () => {
    const data = `${base('100')}${second('1')}${third()}`;
    expect(meaningOf(couponOf(`${data}91200`)).description).toBe(
      'One item free, worth up to 1.00 (on the third product)',
    );
    expect(meaningOf(couponOf(`${data}90000`)).description).toBe('1.00 off (on the first product)');
    expect(meaningOf(couponOf(data)).description).toBe('1.00 off');
  });

  it('contains no number that identifies the coupon', () => {
    const words = JSON.stringify(
      meaningOf(couponOf(`${base('100')}${second('1')}51765432161${'0099887'}91200`)),
    );
    for (const secret of ['0614141', '654321', '120', '850', '7654321', '0099887']) {
      expect(words).not.toContain(secret);
    }
  });
});

describe('GS1 days', () => {
  it.each([
    ['261121', '2026', '2026-11-21'],
    ['760101', '2026', '2076-01-01'],
    ['770101', '2026', '1977-01-01'],
    ['300101', '2080', '2130-01-01'],
    ['310101', '2080', '2031-01-01'],
    ['010101', '1999', '2001-01-01'],
    ['000229', '2026', '2000-02-29'],
    ['000229', '2060', null],
    ['280229', '2026', '2028-02-29'],
    ['270229', '2026', null],
    ['260631', '2026', null],
    ['261301', '2026', null],
    ['260001', '2026', null],
    ['260100', '2026', null],
    ['', '2026', null],
  ])('reads %s in the year %s as %s', (digits, year, day) => {
    expect(readGs1Day(digits, new Date(`${year}-07-01T00:00:00Z`))).toBe(day);
  });
});
