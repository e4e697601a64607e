import { describe, expect, it } from 'vitest';
import { createCouponInputSchema } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { type CouponFormValues, checkCoupon, EMPTY_COUPON, toPayload } from './coupon-form-values.ts';

const NOW = new Date('2026-11-21T23:30:00.000Z');

const FILLED: CouponFormValues = {
  ...EMPTY_COUPON,
  title: ' Ten off a haircut ',
  merchant: 'Shear Joy',
  category: 'services',
  value: '10',
  expiryDate: '2026-11-21',
  description: 'Any cut, any day but Sunday',
};

const filled = (given: Partial<CouponFormValues>) => ({ ...FILLED, ...given });
const check = (given: Partial<CouponFormValues>) => checkCoupon(filled(given), NOW);

describe('what is sent', () => {
  it('is in hundredths, trimmed, with the day and without what is blank', () => {
    expect(toPayload(FILLED)).toEqual({
      title: 'Ten off a haircut',
      merchant: 'Shear Joy',
      category: 'services',
      discountType: 'fixed',
      value: 1_000,
      hasNoExpiry: false,
      expiryDate: '2026-11-21',
      description: 'Any cut, any day but Sunday',
      terms: null,
    });
  });

  it.each([
    ['10', 1_000],
    ['9.5', 950],
    ['0.29', 29],
    [' 19.99 ', 1_999],
    // 1.15 * 100 and 4.35 * 100 are not integers in floating point.
    ['1.15', 115],
    ['4.35', 435],
    ['999999.99', 99_999_999],
  ])('%s is %i hundredths', (value, cents) => {
    expect(toPayload(filled({ value })).value).toBe(cents);
  });

  it('a percentage is in hundredths, too', () => {
    const payload = toPayload(filled({ discountType: 'percentage', value: '12.5' }));
    expect(payload).toMatchObject({ discountType: 'percentage', value: 1_250 });
  });

  it('has no expiry date when there is none, whatever stands in the field', () => {
    const payload = toPayload(filled({ hasNoExpiry: true }));
    expect(payload).not.toHaveProperty('expiryDate');
    expect(payload.hasNoExpiry).toBe(true);
  });

  it('has the code only where one was typed', () => {
    expect(toPayload(filled({ code: '  ' }))).not.toHaveProperty('codeValue');
    expect(toPayload(filled({ code: ' SAVE-10 ' }))).toMatchObject({ codeValue: 'SAVE-10' });
  });

  it('is what the server takes', () => {
    for (const given of [{}, { hasNoExpiry: true }, { code: 'X' }, { terms: 'One per table' }]) {
      expect(createCouponInputSchema.safeParse(toPayload(filled(given))).success).toBe(true);
    }
  });
});

describe('what is refused', () => {
  it('nothing, where all is well', () => {
    expect(check({})).toEqual({});
  });

  it('an empty form, field by field', () => {
    expect(checkCoupon(EMPTY_COUPON, NOW)).toEqual({
      title: 'Title must be at least 3 characters',
      merchant: 'Merchant must be at least 2 characters',
      category: 'Choose a category',
      value: TEXTS.coupons.valuePositive,
      expiryDate: TEXTS.coupons.expiryRequired,
      description: 'Description must be at least 10 characters',
    });
  });

  it.each(['0', '0.00', '-5', 'ten', '1,50', '', 'NaN', '1e3'])('the value %j', (value) => {
    expect(check({ value })).toEqual({ value: TEXTS.coupons.valuePositive });
  });

  it('fractions of a cent', () => {
    expect(check({ value: '1.005' }).value).toContain('two digits');
  });

  it('a percentage above 100, but not 100', () => {
    expect(check({ discountType: 'percentage', value: '100.01' })).toEqual({
      value: 'A percentage is at most 100',
    });
    expect(check({ discountType: 'percentage', value: '100' })).toEqual({});
  });

  it('yesterday, but not today, not "no expiry"', () => {
    expect(check({ expiryDate: '2026-11-20' })).toEqual({ expiryDate: TEXTS.coupons.expiryRequired });
    expect(check({ expiryDate: '2026-11-20', hasNoExpiry: true })).toEqual({});
  });
});
