import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { STORED } from '#tests/support/web/coupon-form.tsx';
import {
  type CouponFormValues,
  checkCoupon,
  EMPTY_COUPON,
  previewOf,
  toPayload,
  valuesOf,
} from './coupon-form-values.ts';

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

it('the preview counts days only to an end that it knows, not to one in the zones of regions or of another place', () => {
  expect(previewOf(FILLED, undefined).expiresAt).toBe(new Date('2026-11-21T23:59:59.999').toISOString());
  expect(previewOf(filled({ regions: ['CA'] }), undefined).expiresAt).toBeNull();
  const coupon = {
    ...STORED,
    expiryDate: '2027-01-31',
    expiresAt: '2027-02-01T07:59:59.999Z',
    hasNoExpiry: false,
  };
  expect(previewOf(valuesOf(coupon), coupon).expiresAt).toBe(coupon.expiresAt);
  expect(previewOf({ ...valuesOf(coupon), expiryDate: '2027-01-30' }, coupon).expiresAt).toBeNull();
});

it('the preview shows no value that nobody has entered', () => {
  const shown = (value: string) => previewOf(filled({ value }), undefined).value;
  expect(['', '0', 'ten', '99999999', '12.5'].map(shown)).toEqual([null, null, null, null, 1_250]);
});

describe('the payload', () => {
  it('is in hundredths and trimmed, with the day and without blank fields', () => {
    const payload = toPayload(FILLED);
    for (const name of ['codeValue', 'code', 'qrCodeUrl', 'barcodeUrl', 'imageUrl']) {
      expect(payload).not.toHaveProperty(name);
    }
    expect(payload).toMatchObject({
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
  ])('has %s as %i hundredths [spec/1 5.10]', (value, cents) => {
    expect(toPayload(filled({ value })).value).toBe(cents);
  });

  it('has a percentage in hundredths, too', () => {
    const payload = toPayload(filled({ discountType: 'percentage', value: '12.5' }));
    expect(payload).toMatchObject({ discountType: 'percentage', value: 1_250 });
  });

  it('has no expiry date with "No expiry", even if the field has one', () => {
    const payload = toPayload(filled({ hasNoExpiry: true }));
    expect(payload).not.toHaveProperty('expiryDate');
    expect(payload.hasNoExpiry).toBe(true);
  });

  it('has the picture of the offer only if it was changed', () => {
    const imageUrl = `/api/pictures/${'x'.repeat(22)}-8x6/8.webp`;
    expect(toPayload(FILLED)).not.toHaveProperty('imageUrl');
    expect(toPayload(filled({ imageUrl }))).toMatchObject({ imageUrl });
    expect(toPayload(filled({ imageUrl: null }))).toMatchObject({ imageUrl: null });
  });

  it('has a code only if one was typed', () => {
    expect(toPayload(filled({ code: '  ' }))).not.toHaveProperty('codeValue');
    expect(toPayload(filled({ code: ' SAVE-10 ' }))).toMatchObject({ codeValue: 'SAVE-10' });
  });

  it("is accepted by the server's schema", () => {
    for (const given of [{}, { hasNoExpiry: true }, { code: 'X' }, { terms: 'One per table' }]) {
      expect(createCouponInputSchema.safeParse(toPayload(filled(given))).success).toBe(true);
    }
  });
});

describe('the check', () => {
  it('accepts a valid form', () => {
    expect(check({})).toEqual({});
  });

  it('refuses an empty form, field by field [spec/1 5.7 9.7]', () => {
    expect(checkCoupon(EMPTY_COUPON, NOW)).toEqual({
      title: 'Title must be at least 3 characters',
      merchant: 'Merchant must be at least 2 characters',
      category: 'Choose a category',
      value: TEXTS.coupons.valuePositive(),
      expiryDate: TEXTS.coupons.expiryRequired(),
      description: 'Description must be at least 10 characters',
    });
  });

  it.each(['0', '0.00', '-5', 'ten', '1,5,0', '', 'NaN', '1e3'])(
    'refuses the value %j [spec/1 5.8]',
    (value) => {
      expect(check({ value })).toEqual({ value: TEXTS.coupons.valuePositive() });
    },
  );

  it.each([
    ['1,50', 150],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
  ])('takes the value %j with a comma or a point, with or without grouping', (value, cents) => {
    expect(check({ value })).toEqual({});
    expect(toPayload(filled({ value })).value).toBe(cents);
  });

  it('says that an amount is too large', () => {
    expect(check({ value: '1,000,000' }).value).toBe('Value is too large');
    expect(check({ value: '999999999999' }).value).toBe('Value is too large');
    expect(check({ value: '20', askingPrice: '999,999,999' }).askingPrice).toBe(
      'Must be at most $10,000.00 CAD',
    );
  });

  it('refuses fractions of a cent', () => {
    expect(check({ value: '1.005' }).value).toContain('two decimals');
  });

  it('refuses a percentage above 100, but not 100', () => {
    expect(check({ discountType: 'percentage', value: '100.01' })).toEqual({
      value: 'A percentage can be at most 100',
    });
    expect(check({ discountType: 'percentage', value: '100' })).toEqual({});
  });

  it('refuses yesterday, but not today and not "no expiry" [spec/1 5.9]', () => {
    expect(check({ expiryDate: '2026-11-20' })).toEqual({ expiryDate: TEXTS.coupons.expiryRequired() });
    expect(check({ expiryDate: '2026-11-20', hasNoExpiry: true })).toEqual({});
  });
});
