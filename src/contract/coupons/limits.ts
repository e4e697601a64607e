import { t } from '@lingui/core/macro';
import type { DiscountType } from './choices.ts';

/** A percentage is stored times 100 like money: 10000 is 100 %. */
export const PERCENTAGE_MAX = 10_000;
/** The largest amount that numeric(10,2) holds, in hundredths. */
export const VALUE_MAX = 99_999_999;

/** Lengths in characters. */
export const TITLE_MIN = 3;
export const TITLE_MAX = 120;
export const DESCRIPTION_MIN = 10;
export const DESCRIPTION_MAX = 2_000;
export const MERCHANT_MIN = 2;
export const MERCHANT_MAX = 80;
export const TERMS_MAX = 2_000;
export const URL_MAX = 2_000;
/** Shops ask for a PIN beside the code of a gift card. */
export const PIN_MAX = 40;
export const CODE_MAX = 200;

/** Checks a coupon's value: null if it can be, else the message for people. */
export function checkValue(fields: { value: number; discountType: DiscountType }): string | null {
  const isTooMuch = fields.discountType === 'percentage' && fields.value > PERCENTAGE_MAX;
  return isTooMuch ? t`A percentage can be at most 100` : null;
}

/** How many characters of the code the owner's card shows at most; never more than half of it (decisions 2.1). */
export const CODE_PREVIEW_LENGTH = 10;
/** What the card shows to everybody else. */
export const CODE_MASK = '••••••••';

/** For `JSON.stringify`: masks the beginnings of codes in what stays in a page, or in a browser's storage. */
export const withCodesMasked = (key: string, value: unknown): unknown =>
  key === 'codePreview' && value !== null ? CODE_MASK : value;

/** How many coupons a browser remembers as recently viewed. */
export const VIEWED_MAX = 12;

/** How long an owner may take back that a coupon is used. */
export const UNDO_USED_HOURS = 24;

/** Days for which a view of a code keeps its address and browser: banks can ask for them so long. */
export const VIEW_ORIGINS_KEPT_DAYS = 180;
