import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { ofField, orBeyond } from '#contract/base/input-texts.ts';
import {
  amountSchema,
  clientKeySchema,
  codeTextSchema,
  countrySchema,
  daySchema,
  givenCountrySchema,
  idSchema,
  ignored,
  instantSchema,
  lineSchema,
  pagingSchema,
  removableTextSchema,
  searchSchema,
  textSchema,
  timeZoneSchema,
  VALUE_UNIT,
} from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { checkPriceFloor, priceSchema } from '#contract/deals/bid-amounts.ts';
import { pictureChangeSchema, pictureUrlSchema } from '#contract/people/pictures.ts';
import { discountTypeSchema, storedCategorySchema, transferableSchema } from './choice-schemas.ts';
import { CATEGORIES } from './choices.ts';
import { checkedAtSchema, listedHealthSchema } from './health.ts';
import { imageChangeSchema, imageKindSchema, imageUrlSchema } from './images.ts';
import {
  CODE_MAX,
  checkValue,
  DESCRIPTION_MAX,
  DESCRIPTION_MIN,
  MERCHANT_MAX,
  MERCHANT_MIN,
  PIN_MAX,
  TERMS_MAX,
  TITLE_MAX,
  TITLE_MIN,
  URL_MAX,
  VALUE_MAX,
} from './limits.ts';
import { COUPON_SORTS, MARKET_SORTS } from './sorts.ts';

const isOpenToOffersSchema = z
  .boolean()
  .describe('Whether others may propose a swap for it, and the finder may suggest one');

/** Countries in any order; answers have their codes, sorted. */
const givenRegionsSchema = z
  .array(givenCountrySchema())
  .max(COUNTRY_CODES.length)
  .transform((codes) => [...new Set(codes)].sort())
  .describe('Countries where it is valid; empty for anywhere');

export const regionsSchema = z
  .array(countrySchema)
  .describe('Countries where it is valid; empty for anywhere');

/** The server sets them from its own record of the validation (decisions 2.4). */
const ignoredFields = ignored('isVerified', 'ownerId', 'isActive', 'validationMethod', 'validatedAt');
export type IgnoredField = keyof typeof ignoredFields;

/** What an owner fills in. */
const couponFieldsSchema = z.object({
  ...ignoredFields,
  title: lineSchema(TITLE_MAX, TITLE_MIN, () => t`Title must be at least ${TITLE_MIN} characters`),
  description: textSchema(
    DESCRIPTION_MAX,
    DESCRIPTION_MIN,
    () => t`Description must be at least ${DESCRIPTION_MIN} characters`,
  ),
  value: z
    .int({ error: orBeyond(TEXTS.coupons.valuePositive) })
    .min(1, { error: TEXTS.coupons.valuePositive })
    .max(VALUE_MAX, { error: () => t`Value is too large` })
    .describe(VALUE_UNIT),
  discountType: discountTypeSchema,
  merchant: lineSchema(
    MERCHANT_MAX,
    MERCHANT_MIN,
    () => t`Merchant must be at least ${MERCHANT_MIN} characters`,
  ),
  category: z
    .enum([...CATEGORIES, 'verified', 'Validated'], { error: () => t`Choose a category` })
    .transform((category) => (category === 'Validated' ? 'verified' : category)),
  hasNoExpiry: z.boolean(),
  /** A day, or an instant, of which the UTC day is taken. */
  expiryDate: z
    .union([daySchema, instantSchema.transform((instant) => instant.slice(0, 10))], {
      error: TEXTS.coupons.expiryRequired,
    })
    .nullable(),
  terms: removableTextSchema(TERMS_MAX),
  regions: givenRegionsSchema,
  transferable: transferableSchema,
  isOpenToOffers: isOpenToOffersSchema,
  askingPrice: priceSchema.nullable().describe('Bids of this or more are accepted at once'),
  priceFloor: priceSchema
    .nullable()
    .describe('Bids below it wait, and their owner is not told of them. Nobody else sees it'),
  sourceUrl: z
    .url({ protocol: /^https?$/, error: () => t`Enter a web address that starts with http:// or https://` })
    .max(URL_MAX)
    .nullable(),
});

export const codeSchema = codeTextSchema(CODE_MAX)
  .nullish()
  .transform((code) => code || null);
const pinSchema = codeTextSchema(PIN_MAX)
  .nullable()
  .transform((pin) => pin || null)
  .describe('What the shop asks for beside the code, as for a gift card; kept as secret as the code');

/** The caller knows that the merchant's own account calls the code dead, and adds it anyway. */
const acknowledgeDeadCodeSchema = z
  .boolean()
  .optional()
  .describe('Adds a code that its merchant calls used up, expired, withdrawn or unknown');

/**
 * Checks a coupon's expiry: null if it never expires or its last day is `today` or later, else the message for people.
 * It is not in the schemas because they have no clock, and today is another day elsewhere.
 */
export function checkExpiry(
  fields: { hasNoExpiry: boolean; expiryDate: string | null },
  today: string,
): string | null {
  if (fields.hasNoExpiry) return null;
  return fields.expiryDate !== null && fields.expiryDate >= today ? null : TEXTS.coupons.expiryRequired();
}

/** A new coupon. `codeValue` is canonical, `code` an alias (decisions 2.3). Pictures are uploaded before. */
export const createCouponInputSchema = couponFieldsSchema
  .extend({
    discountType: discountTypeSchema.default('fixed'),
    hasNoExpiry: z.boolean().default(false),
    expiryDate: couponFieldsSchema.shape.expiryDate.default(null),
    terms: couponFieldsSchema.shape.terms.default(null),
    regions: couponFieldsSchema.shape.regions.default([]),
    transferable: transferableSchema.default('unknown'),
    isOpenToOffers: isOpenToOffersSchema.default(true),
    askingPrice: couponFieldsSchema.shape.askingPrice.default(null),
    priceFloor: couponFieldsSchema.shape.priceFloor.default(null),
    sourceUrl: couponFieldsSchema.shape.sourceUrl.default(null),
    codeValue: codeSchema,
    code: codeSchema,
    pin: pinSchema.default(null),
    acknowledgeDeadCode: acknowledgeDeadCodeSchema,
    qrCodeUrl: imageUrlSchema,
    barcodeUrl: imageUrlSchema,
    imageUrl: pictureUrlSchema,
    timeZone: timeZoneSchema
      .describe('Of the owner: where the last day ends if no regions are given. Without it, in UTC')
      .optional(),
    clientKey: clientKeySchema,
    draftId: idSchema.optional().describe('A draft of the caller that this coupon comes from: it ends'),
  })
  .superRefine((fields, issues) => {
    const message = checkValue(fields);
    if (message !== null) issues.addIssue({ code: 'custom', path: ['value'], message });
    const problem = checkPriceFloor(fields);
    if (problem !== null) issues.addIssue({ code: 'custom', path: ['priceFloor'], message: problem });
    if (!fields.hasNoExpiry && fields.expiryDate === null) {
      issues.addIssue({ code: 'custom', path: ['expiryDate'], message: TEXTS.coupons.expiryRequired() });
    }
  });

/** An edit: what is missing here stays as it is. A last day ends "no expiry", and the other way round. */
export const updateCouponInputSchema = couponFieldsSchema.partial().extend({
  id: idSchema,
  codeValue: codeSchema,
  code: codeSchema,
  pin: pinSchema.optional().describe('null removes it; a new code without one has none'),
  acknowledgeDeadCode: acknowledgeDeadCodeSchema,
  qrCodeUrl: imageChangeSchema,
  barcodeUrl: imageChangeSchema,
  imageUrl: pictureChangeSchema,
});

/** A bound of the value filter. */
const valueBoundSchema = z
  .int()
  .min(0, { error: ofField(() => t`Must be 0 or more`) })
  // More than any coupon is worth: the database's integers end soon after.
  .transform((cents) => Math.min(cents, VALUE_MAX + 1))
  .describe('In cents; leaves percentages out');

/** The filters of a search, which a want keeps. */
export const couponFiltersSchema = z.object({
  category: storedCategorySchema.optional(),
  merchant: textSchema(MERCHANT_MAX).optional(),
  minValue: valueBoundSchema.optional(),
  maxValue: valueBoundSchema.optional(),
  expiryDays: z.int().min(0).max(3_650).optional(),
  checkedDays: z
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe('Only coupons whose code the merchant’s own programme has confirmed in so many days'),
  hasAskingPrice: z
    .boolean()
    .optional()
    .describe('true: only coupons that can be bought at once, at the price that their owner asks'),
  search: searchSchema,
});
export type CouponFilters = z.output<typeof couponFiltersSchema>;

export const listCouponsInputSchema = pagingSchema.extend({
  ...couponFiltersSchema.shape,
  sort: z
    .enum(MARKET_SORTS)
    .default('newest')
    .describe('price-low: by asking price, and only coupons that have one'),
});

/** The search and sort order of My Coupons. */
export const listOwnCouponsInputSchema = pagingSchema.extend({
  search: searchSchema,
  sort: z.enum(COUPON_SORTS).default('newest'),
});
export type ListOwnCouponsInput = z.output<typeof listOwnCouponsInputSchema>;

/** The coupons of one merchant, whose whole name is given. */
export const listMerchantCouponsInputSchema = listOwnCouponsInputSchema
  .omit({ search: true })
  .extend({ merchant: textSchema(MERCHANT_MAX, 1) });
export type ListMerchantCouponsInput = z.output<typeof listMerchantCouponsInputSchema>;

/** The coupons of one person that others can ask for in a swap. */
export const listAskableCouponsInputSchema = listOwnCouponsInputSchema.extend({ userId: idSchema });
export type ListAskableCouponsInput = z.output<typeof listAskableCouponsInputSchema>;

/** A coupon as other objects mention it. */
export const couponSummarySchema = z.object({
  id: idSchema,
  title: z.string(),
  merchant: z.string(),
  value: z.int().describe(`${VALUE_UNIT}; 0 for a public code whose worth nobody has stated`),
  discountType: discountTypeSchema,
  expiryDate: daySchema.nullable(),
  expiresAt: instantSchema
    .nullable()
    .describe(
      'When its last day ends in the last time zone of its regions, else in that of its owner at listing',
    ),
  regions: regionsSchema,
  transferable: transferableSchema,
  /** The picture of the offer, for everybody: see contract/people/pictures.ts for its sizes. */
  imageUrl: z.string().nullable(),
  ownerId: idSchema,
  ownerUsername: z.string(),
  /** Whether there is a code, or a picture of one, to hand over. */
  hasCode: z.boolean(),
  reissuedAt: instantSchema
    .nullable()
    .describe(
      'When the merchant made its code for its present owner, whom nobody else has it from; null: it did not',
    ),
});
couponSummarySchema.register(z.globalRegistry, { id: 'CouponSummary' });

/**
 * A coupon in a list or on its page. It never contains the whole code, which only `coupons.reveal` returns:
 * `codePreview` has its first characters for the owner, and is null for everybody else (decisions 2.1).
 */
export const couponSchema = couponSummarySchema.extend({
  description: z.string(),
  isValueRead: z
    .boolean()
    .describe('Whether the value is read from the title of a public code, since its feed does not state it'),
  category: storedCategorySchema,
  hasNoExpiry: z.boolean(),
  terms: z.string().nullable(),
  sourceUrl: z.string().nullable(),
  isVerified: z.boolean(),
  health: listedHealthSchema,
  checkedAt: checkedAtSchema,
  isActive: z.boolean(),
  usedAt: instantSchema.nullable().describe('When its owner marked it as used. Null for everybody else'),
  isWaiting: z.boolean().describe('Whether a moderator looks at it before anybody but its owner sees it'),
  isReserved: z.boolean(),
  isReissuable: z
    .boolean()
    .describe('Whether the merchant makes a new code when the coupon changes hands, and retires the old one'),
  isOpenToOffers: isOpenToOffersSchema,
  askingPrice: amountSchema.nullable().describe('null: its owner states none'),
  /** The smallest bid that its owner considers. Null for everybody else. */
  priceFloor: amountSchema.nullable(),
  codePreview: z.string().nullable(),
  /** The address of the uploaded picture of the code, for the owner. Null for everybody else. */
  qrCodeUrl: z.string().nullable(),
  barcodeUrl: z.string().nullable(),
  /** Of a picture that is drawn from the code where none is uploaded, likewise. A shop may not take it. */
  drawnQrCodeUrl: z.string().nullable(),
  drawnBarcodeUrl: z.string().nullable(),
  /** Whether the viewer has saved it. */
  isSaved: z.boolean(),
  ownerRating: z
    .number()
    .nullable()
    .describe('The average of the ratings that count for its owner, of 10; null: none yet'),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
couponSchema.register(z.globalRegistry, { id: 'Coupon' });

/**
 * The whole code for its owner (null when there is only a picture), and who has seen it when. `code` equals
 * `codeValue`.
 */
export const revealedCodeSchema = z.object({
  id: idSchema,
  codeValue: z.string().nullable(),
  code: z.string().nullable(),
  pin: z.string().nullable().describe('What the shop asks for beside the code'),
  reveals: z.array(
    z.object({
      username: z.string(),
      profileImageUrl: z.string().nullable(),
      keyName: z
        .string()
        .nullable()
        .describe('Of the key with which a program of theirs got the code; null: they looked at it'),
      revealedAt: instantSchema,
      reportedAt: instantSchema
        .nullable()
        .describe('When a device told of a view without a network; null: it was asked for here'),
    }),
  ),
});
revealedCodeSchema.register(z.globalRegistry, { id: 'RevealedCode' });
export type RevealedCode = z.output<typeof revealedCodeSchema>;

/** A picture of the code of one's own coupon. */
export const codeImageInputSchema = z.object({ id: idSchema, kind: imageKindSchema });

export type Coupon = z.output<typeof couponSchema>;

/** Other listed coupons, each of them once, newest first. */
export const relatedCouponsSchema = z.object({
  ofMerchant: z.array(couponSchema),
  ofOwner: z.array(couponSchema),
  ofCategory: z.array(couponSchema),
});
relatedCouponsSchema.register(z.globalRegistry, { id: 'RelatedCoupons' });
export type RelatedCoupons = z.output<typeof relatedCouponsSchema>;
export type CouponSummary = z.output<typeof couponSummarySchema>;
export type CreateCouponInput = z.output<typeof createCouponInputSchema>;
/** What a client sends for a new coupon, before defaults and aliases are applied. */
export type CouponPayload = z.input<typeof createCouponInputSchema>;
export type UpdateCouponInput = z.output<typeof updateCouponInputSchema>;
export type ListCouponsInput = z.output<typeof listCouponsInputSchema>;
