import {
  CATEGORIES,
  type Coupon,
  type CouponPayload,
  checkExpiry,
  createCouponInputSchema,
  type DiscountType,
  PERSONAL_CATEGORIES,
} from '#contract/coupons.ts';
import { amountText, parseAmount } from './wording.ts';

/** What stands in the form's fields: text where people type. */
export interface CouponFormValues {
  title: string;
  description: string;
  discountType: DiscountType;
  /** A decimal text: dollars or per cent. */
  value: string;
  merchant: string;
  category: string | null;
  hasNoExpiry: boolean;
  /** `YYYY-MM-DD`, or '' */
  expiryDate: string;
  code: string;
  /** Pictures of the code: an upload's address, null to take the stored one away, undefined to leave it. */
  qrCodeUrl: string | null | undefined;
  barcodeUrl: string | null | undefined;
  terms: string;
}

/** In the order of the fields on screen. */
export const EMPTY_COUPON: CouponFormValues = {
  title: '',
  merchant: '',
  category: null,
  discountType: 'fixed',
  value: '',
  expiryDate: '',
  hasNoExpiry: false,
  description: '',
  code: '',
  qrCodeUrl: undefined,
  barcodeUrl: undefined,
  terms: '',
};

/** A listed coupon as the form starts from it. The code is not known here: a blank one stays as it is stored. */
export function valuesOf(coupon: Coupon): CouponFormValues {
  return {
    title: coupon.title,
    description: coupon.description,
    discountType: coupon.discountType,
    value: amountText(coupon.value),
    merchant: coupon.merchant,
    category: coupon.category,
    hasNoExpiry: coupon.hasNoExpiry,
    expiryDate: coupon.expiryDate ?? '',
    code: '',
    qrCodeUrl: undefined,
    barcodeUrl: undefined,
    terms: coupon.terms ?? '',
  };
}

function parse(values: CouponFormValues) {
  const { value, hasNoExpiry, expiryDate, code, category, ...rest } = values;
  return createCouponInputSchema.safeParse({
    ...rest,
    // What is no amount is refused by the schema, in its words.
    value: parseAmount(value) ?? Number.NaN,
    // A public code stays one whatever is sent; the server knows.
    category: PERSONAL_CATEGORIES.some((known) => known === category) ? 'other' : category,
    hasNoExpiry,
    expiryDate: hasNoExpiry || expiryDate === '' ? undefined : expiryDate,
    codeValue: code,
  });
}

/** What is wrong, by field; the contract's rules and words. */
export function checkCoupon(values: CouponFormValues, now: Date): Partial<Record<string, string>> {
  const parsed = parse(values);
  const errors: Partial<Record<string, string>> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[fieldOf(path.join('.'))] ??= message;
  if (/^\s*\d+\.\d{3,}\s*$/.test(values.value)) errors.value = 'Use at most two digits behind the point';
  const expiry = checkExpiry({ ...values, expiryDate: values.expiryDate || null }, now);
  if (expiry !== null) errors.expiryDate = expiry;
  return errors;
}

/** The form's field for one of the contract's. */
export function fieldOf(path: string): string {
  return path === 'codeValue' ? 'code' : path;
}

/**
 * What is sent of a checked form: hundredths; no expiry, no code and pictures that stay as they are are left out.
 * @throws ZodError
 */
export function toPayload(values: CouponFormValues): CouponPayload {
  const parsed = parse(values);
  if (parsed.error) throw parsed.error;
  const {
    expiryDate,
    codeValue,
    code: _alias,
    sourceUrl: _link,
    qrCodeUrl,
    barcodeUrl,
    ...fields
  } = parsed.data;
  return {
    ...fields,
    ...(expiryDate && { expiryDate }),
    ...(codeValue && { codeValue }),
    ...(values.qrCodeUrl !== undefined && { qrCodeUrl }),
    ...(values.barcodeUrl !== undefined && { barcodeUrl }),
  };
}

/** What the empty field of the value shows as an example, in hundredths. */
const EXAMPLE_VALUES: Record<DiscountType, number> = { fixed: 1_000, percentage: 2_000 };

/** The ticket that the fields make so far. */
export function previewOf(values: CouponFormValues, base: { id: number; ownerId: number }) {
  return {
    ...base,
    title: values.title.trim() || 'Your coupon',
    merchant: values.merchant.trim() || 'Merchant',
    value: parseAmount(values.value) ?? EXAMPLE_VALUES[values.discountType],
    discountType: values.discountType,
    expiryDate: values.hasNoExpiry || values.expiryDate === '' ? null : values.expiryDate,
  };
}

/** The categories to choose from; one that people cannot choose is there for the coupon that has it. */
export function categoryChoices(current: Coupon['category'] | undefined): Coupon['category'][] {
  const isChosenByPeople = current === undefined || CATEGORIES.some((known) => known === current);
  return isChosenByPeople ? [...CATEGORIES] : [...CATEGORIES, current];
}
