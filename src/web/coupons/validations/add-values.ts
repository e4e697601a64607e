import { t } from '@lingui/core/macro';
import { amountText } from '#contract/base/money.ts';
import type { CouponPayload } from '#contract/coupons/coupons.ts';
import type { ValidationDetails } from '#contract/coupons/validation.ts';
import {
  type CouponFormValues,
  checkCoupon,
  EMPTY_COUPON,
  toPayload,
} from '#web/coupons/form/coupon-form-values.ts';
import { asTyped } from '#web/lib/typed-amount.ts';
import { worthText } from './wording.ts';

/** What was validated: enough to list it. */
export interface Subject {
  readonly merchant: string;
  readonly code: string;
  /** Addresses of uploaded pictures. */
  readonly qrCodeUrl?: string;
  readonly barcodeUrl?: string;
}

/** The fields that a verdict knows. Unknown ones stay blank. */
export function prefill(details: ValidationDetails, subject: Subject): CouponFormValues {
  const worth = worthText(details);
  return {
    ...EMPTY_COUPON,
    ...subject,
    category: 'Validated',
    title: worth === null ? '' : t`${worth} off at ${subject.merchant}`,
    description: details.description ?? '',
    discountType: details.discountType ?? 'fixed',
    value: details.value === null ? '' : asTyped(amountText(details.value)),
    expiryDate: details.expiryDate ?? '',
    terms: details.requirement ?? '',
  };
}

/**
 * Whether a coupon can be added without a form: the merchant's programme has confirmed it and named every field.
 * Never for an amount of money, since a code does not name its currency.
 */
export function isComplete(details: ValidationDetails, subject: Subject, now: Date): boolean {
  const isValid = Object.keys(checkCoupon(prefill(details, subject), now)).length === 0;
  return details.confirmed && details.discountType === 'percentage' && isValid;
}

/** @throws ZodError */
export function toValidatedPayload(values: CouponFormValues): CouponPayload {
  return { ...toPayload(values), category: 'Validated' };
}
