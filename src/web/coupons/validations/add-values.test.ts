import { describe, expect, it } from 'vitest';
import { createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { aVerdict } from '#tests/support/web/builders.ts';
import { isComplete, prefill, toValidatedPayload } from './add-values.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SUBJECT = { merchant: 'Knit Nook', code: 'WOOL-2026' };
const WHOLE = {
  confirmed: true,
  value: 2_000,
  discountType: 'percentage',
  expiryDate: '2027-03-01',
  description: 'Any wool in the shop',
} as const;

const detailsOf = (given: object) => aVerdict({ details: given }).details;

describe('the initial values of the form', () => {
  it('are the fields of the verdict', () => {
    expect(prefill(detailsOf({ ...WHOLE, requirement: 'Two balls' }), SUBJECT)).toMatchObject({
      title: '20.00% off at Knit Nook',
      merchant: 'Knit Nook',
      code: 'WOOL-2026',
      value: '20',
      discountType: 'percentage',
      expiryDate: '2027-03-01',
      description: 'Any wool in the shop',
      terms: 'Two balls',
    });
  });

  it('are blank for unknown fields', () => {
    const blank = { title: '', value: '', expiryDate: '', description: '', terms: '', hasNoExpiry: false };
    expect(prefill(detailsOf({}), SUBJECT)).toMatchObject(blank);
  });

  it('do not take a currency from an amount', () => {
    const values = prefill(detailsOf({ value: 550, discountType: 'fixed' }), SUBJECT);
    expect(values).toMatchObject({ title: '5.50 off at Knit Nook', value: '5.50', discountType: 'fixed' });
  });
});

describe('adding without a form', () => {
  it('is possible if the programme has named every field', () => {
    expect(isComplete(detailsOf(WHOLE), SUBJECT, NOW)).toBe(true);
  });

  it.each([
    ['nobody has confirmed it', { confirmed: false }],
    ['the value is missing', { value: null }],
    ['the currency is missing', { discountType: 'fixed' }],
    ['the last day is missing', { expiryDate: null }],
    ['the last day has passed', { expiryDate: '2026-11-20' }],
    ['the description is missing', { description: null }],
    ['the description is too short', { description: 'Wool' }],
  ])('is not possible if %s', (_, given) => {
    expect(isComplete(detailsOf({ ...WHOLE, ...given }), SUBJECT, NOW)).toBe(false);
  });
});

it('the payload has the category Validated and the pictures, and the server accepts it', () => {
  const qrCodeUrl = `/api/images/${'a'.repeat(22)}`;
  const payload = toValidatedPayload(prefill(detailsOf(WHOLE), { ...SUBJECT, qrCodeUrl }));
  expect(payload).toMatchObject({ category: 'Validated', codeValue: 'WOOL-2026', qrCodeUrl });
  expect(payload).not.toHaveProperty('barcodeUrl');
  expect(createCouponInputSchema.parse(payload).category).toBe('verified');
});
