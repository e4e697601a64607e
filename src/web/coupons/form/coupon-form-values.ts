import { t } from '@lingui/core/macro';
import { amountText } from '#contract/base/money.ts';
import { type DiscountType, PERSONAL_CATEGORIES, type Transferable } from '#contract/coupons/choices.ts';
import {
  type Coupon,
  type CouponPayload,
  checkExpiry,
  createCouponInputSchema,
  type IgnoredField,
  type UpdateCouponInput,
} from '#contract/coupons/coupons.ts';
import type { StatedFacts } from '#contract/coupons/images.ts';
import { VALUE_MAX } from '#contract/coupons/limits.ts';
import { OFFERED_CATEGORIES } from '#web/coupons/core/categories.ts';
import { endOfLocalDay, localDay } from '#web/lib/local-day.ts';
import { asDecimal, asTyped, typedCents } from '#web/lib/typed-amount.ts';

/** What owners enter; we find the rest. */
type EnteredField = Exclude<
  keyof UpdateCouponInput,
  'id' | 'codeValue' | 'acknowledgeDeadCode' | 'sourceUrl' | IgnoredField
>;

/** The values of an empty form, in the order of the fields on screen. What people type is text. */
export const EMPTY_COUPON = {
  title: '',
  merchant: '',
  category: null as string | null,
  discountType: 'fixed' as DiscountType,
  /** Decimal text: dollars or per cent. */
  value: '',
  /** `YYYY-MM-DD`, or '' */
  expiryDate: '',
  hasNoExpiry: false,
  description: '',
  code: '',
  /** What the shop asks for beside the code; '' leaves a stored one unchanged. */
  pin: '',
  /** Pictures of the code: the address of an upload, null to remove the stored one, undefined to leave it. */
  qrCodeUrl: undefined as string | null | undefined,
  barcodeUrl: undefined as string | null | undefined,
  /** The picture of the offer, likewise. */
  imageUrl: undefined as string | null | undefined,
  /** ISO 3166-1 alpha-2; empty: anywhere */
  regions: [] as string[],
  transferable: 'unknown' as Transferable,
  isOpenToOffers: true,
  /** Decimal text in the base currency, or '' */
  askingPrice: '',
  priceFloor: '',
  terms: '',
} satisfies Record<EnteredField, unknown>;

export type CouponFormValues = typeof EMPTY_COUPON;

/** The form's values for a stored coupon. The code is not known here; a blank one leaves the stored code unchanged. */
export function valuesOf(coupon: Coupon): CouponFormValues {
  return {
    ...EMPTY_COUPON,
    ...coupon,
    value: asTyped(amountText(coupon.value)),
    expiryDate: coupon.expiryDate ?? '',
    askingPrice: asTyped(coupon.askingPrice ?? ''),
    priceFloor: asTyped(coupon.priceFloor ?? ''),
    terms: coupon.terms ?? '',
    qrCodeUrl: undefined,
    barcodeUrl: undefined,
    imageUrl: undefined,
  };
}

/** The values that the next coupon of a sheet begins with: coupons on one sheet share them. */
export function nextOfSheet({
  merchant,
  category,
  expiryDate,
  hasNoExpiry,
  terms,
  regions,
  transferable,
}: CouponPayload): CouponFormValues {
  return {
    ...EMPTY_COUPON,
    merchant,
    category,
    expiryDate: expiryDate ?? '',
    hasNoExpiry: hasNoExpiry ?? false,
    terms: terms ?? '',
    regions: regions ?? [],
    transferable: transferable ?? 'unknown',
  };
}

/** The description where nobody has written one. */
export function describedAs(title: string, merchant: string): string {
  return t`${title.trim()} at ${merchant.trim()}.`;
}

/** What a wallet pass or the print of a coupon says, as values of the form. */
export function suggestedBy(facts: StatedFacts): Partial<CouponFormValues> {
  return filledBy(facts, EMPTY_COUPON);
}

/** The fields that a wallet pass or the print of a coupon fills: those that are still empty. */
export function filledBy(facts: StatedFacts, values: CouponFormValues): Partial<CouponFormValues> {
  const { merchant, category, title, worth, expiryDate, hasNoExpiry, terms } = facts;
  const isOpen = (field: 'title' | 'merchant' | 'value' | 'expiryDate' | 'terms' | 'description') =>
    values[field].trim() === '';
  const isUndated = isOpen('expiryDate') && !values.hasNoExpiry;
  return {
    ...(title !== null && isOpen('title') && { title }),
    ...(merchant !== null && isOpen('merchant') && { merchant }),
    ...(category !== null && values.category === null && { category }),
    ...(worth !== null &&
      isOpen('value') && { value: asTyped(amountText(worth.value)), discountType: worth.discountType }),
    ...(expiryDate !== null && isUndated && { expiryDate }),
    ...(hasNoExpiry && isUndated && { hasNoExpiry }),
    ...(terms !== null && isOpen('terms') && { terms }),
    ...(title !== null &&
      merchant !== null &&
      isOpen('description') && {
        description: describedAs(values.title.trim() || title, values.merchant.trim() || merchant),
      }),
  };
}

function parse(values: CouponFormValues) {
  const { value, hasNoExpiry, expiryDate, code, category, askingPrice, priceFloor, ...rest } = values;
  return createCouponInputSchema.safeParse({
    ...rest,
    // The schema refuses NaN with its own message.
    value: typedCents(value) ?? Number.NaN,
    // The schema knows no personal category; the server keeps the stored one.
    category: PERSONAL_CATEGORIES.some((known) => known === category) ? 'other' : category,
    hasNoExpiry,
    expiryDate: hasNoExpiry || expiryDate === '' ? undefined : expiryDate,
    codeValue: code,
    askingPrice: asDecimal(askingPrice) || null,
    priceFloor: asDecimal(priceFloor) || null,
  });
}

/** Errors by field, from the contract's schema. */
export function checkCoupon(values: CouponFormValues, now: Date): Partial<Record<string, string>> {
  const parsed = parse(values);
  const errors: Partial<Record<string, string>> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[fieldOf(path.join('.'))] ??= message;
  if (typedCents(values.value) === null && /\d[.,]\d{3,}\s*$/.test(values.value)) {
    errors.value = t`Use at most two decimals`;
  }
  const expiry = checkExpiry({ ...values, expiryDate: values.expiryDate || null }, localDay(now));
  if (expiry !== null) errors.expiryDate = expiry;
  return errors;
}

/** The form's field for a path of the contract. */
export function fieldOf(path: string): string {
  return path === 'codeValue' ? 'code' : path;
}

/**
 * The payload of a checked form, with the value in hundredths. Leaves out an empty expiry date, an empty code and
 * unchanged pictures.
 * @throws ZodError
 */
export function toPayload(values: CouponFormValues): CouponPayload {
  const parsed = parse(values);
  if (parsed.error) throw parsed.error;
  const {
    expiryDate,
    codeValue,
    code: _alias,
    pin,
    sourceUrl: _link,
    qrCodeUrl,
    barcodeUrl,
    imageUrl,
    ...fields
  } = parsed.data;
  return {
    ...fields,
    ...(expiryDate && { expiryDate }),
    ...(codeValue && { codeValue }),
    ...(pin && { pin }),
    ...(values.qrCodeUrl !== undefined && { qrCodeUrl }),
    ...(values.barcodeUrl !== undefined && { barcodeUrl }),
    ...(values.imageUrl !== undefined && { imageUrl }),
  };
}

const GIFT_CARD = /gift ?(?:card|certificate|voucher)|cartes?[- ]cadeaux?|chèques?[- ]cadeaux?/i;

/** Whether a shop probably asks for a PIN that nobody has entered: it does for most gift cards. */
export function lacksPin({
  title,
  description,
  pin,
}: Pick<CouponFormValues, 'title' | 'description' | 'pin'>): boolean {
  return pin.trim() === '' && (GIFT_CARD.test(title) || GIFT_CARD.test(description));
}

/** When the last day of the edited values ends; null where only the server knows: in the zones of its regions, or of its owner. */
function previewEnd(day: string, regions: readonly string[], coupon: Coupon | undefined): string | null {
  if (coupon === undefined) return regions.length === 0 ? endOfLocalDay(day) : null;
  const isSame = day === coupon.expiryDate && regions.join() === coupon.regions.join();
  return isSame ? coupon.expiresAt : null;
}

/** The ticket of the current values, for the preview. @param coupon undefined: a new one is listed */
export function previewOf(values: CouponFormValues, coupon: Coupon | undefined) {
  const cents = typedCents(values.value);
  const expiryDate = values.hasNoExpiry || values.expiryDate === '' ? null : values.expiryDate;
  return {
    id: coupon?.id ?? 0,
    ownerId: 0,
    imageUrl: values.imageUrl === undefined ? (coupon?.imageUrl ?? null) : values.imageUrl,
    title: values.title.trim() || t`Your coupon`,
    merchant: values.merchant.trim() || t`Merchant`,
    value: cents !== null && cents > 0 && cents <= VALUE_MAX ? cents : null,
    discountType: values.discountType,
    regions: values.regions,
    transferable: values.transferable,
    expiryDate,
    expiresAt: expiryDate && previewEnd(expiryDate, values.regions, coupon),
  };
}

/** The categories to choose from, and the current one if people cannot choose it. */
export function categoryChoices(current: Coupon['category'] | undefined): Coupon['category'][] {
  const isChoosable = current === undefined || OFFERED_CATEGORIES.some((known) => known === current);
  return isChoosable ? [...OFFERED_CATEGORIES] : [...OFFERED_CATEGORIES, current];
}
