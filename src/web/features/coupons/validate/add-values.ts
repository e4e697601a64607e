import type { CouponPayload } from '#contract/coupons.ts';
import type { ValidationDetails } from '#contract/validation.ts';
import { type CouponFormValues, checkCoupon, EMPTY_COUPON, toPayload } from '../coupon-form-values.ts';
import { amountText } from '../wording.ts';
import { worthText } from './wording.ts';

/** What was judged: enough to list it. */
export interface Subject {
  readonly merchant: string;
  readonly code: string;
  /** Uploaded pictures of it. */
  readonly qrCodeUrl?: string;
  readonly barcodeUrl?: string;
}

/** A coupon's fields as far as a verdict knows them; what it does not know is left blank, never made up. */
export function prefill(details: ValidationDetails, subject: Subject): CouponFormValues {
  const worth = worthText(details);
  return {
    ...EMPTY_COUPON,
    ...subject,
    category: 'Validated',
    title: worth === null ? '' : `${worth} off at ${subject.merchant}`,
    description: details.description ?? '',
    discountType: details.discountType ?? 'fixed',
    value: details.value === null ? '' : amountText(details.value),
    expiryDate: details.expiryDate ?? '',
    terms: details.requirement ?? '',
  };
}

/**
 * Whether a coupon can be listed without a question: its own programme has confirmed it and said all of it. An amount
 * of money never is: no code says in which currency.
 */
export function knowsEverything(details: ValidationDetails, subject: Subject, now: Date): boolean {
  const isWhole = Object.keys(checkCoupon(prefill(details, subject), now)).length === 0;
  return details.confirmed && details.discountType === 'percentage' && isWhole;
}

/** What is sent of the checked fields. @throws ZodError */
export function toValidatedPayload(values: CouponFormValues): CouponPayload {
  return { ...toPayload(values), category: 'Validated' };
}
