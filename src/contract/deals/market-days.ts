import { z } from 'zod';
import { daySchema, idSchema, instantSchema } from '#contract/base/primitives.ts';
import { couponSummarySchema } from '#contract/coupons/coupons.ts';
import { VALUE_MAX } from '#contract/coupons/limits.ts';

/** Market day is at this hour unless the operator says otherwise. */
export const DEFAULT_HOUR = 20;
/** Until so many minutes before the hour what somebody has agreed to can be taken back. */
export const LOCK_MINUTES = 30;
/** How sure a code has to be by default, of 100, where its merchant does not say. */
export const DEFAULT_MIN_HEALTH = 60;
/** How often one wish can be fulfilled on one day. */
export const TIMES_MAX = 10;
/** For how long somebody can agree. */
export const CONSENT_DAYS_MAX = 90;

const minValueSchema = z
  .int()
  .min(1)
  .max(VALUE_MAX)
  .nullable()
  .describe('The least worth of what the caller gets, in hundredths; null: any, percentages, too');
const untilSchema = daySchema.describe(`The last market day, within ${CONSENT_DAYS_MAX} days`);

/** A wish of the caller's may be fulfilled on market day without asking; for it go the coupons of their own that it names. */
export const consentForWantInputSchema = z.object({
  wantId: idSchema,
  minValue: minValueSchema,
  minHealth: z
    .int()
    .min(0)
    .max(100)
    .describe('How sure a code has to be, of 100, where the merchant’s programme has not confirmed it'),
  times: z.int().min(1).max(TIMES_MAX).describe('How often on one day'),
  until: untilSchema,
  couponIds: z
    .array(idSchema)
    .max(50)
    .describe('Coupons of the caller’s that may be given without asking, besides those that may already'),
});
export type ConsentForWantInput = z.output<typeof consentForWantInputSchema>;

/** A coupon of the caller's may be given on market day without asking, for wishes that may be fulfilled without asking. */
export const consentForCouponInputSchema = z.object({
  couponId: idSchema,
  minValue: minValueSchema,
  until: untilSchema,
});
export type ConsentForCouponInput = z.output<typeof consentForCouponInputSchema>;

export const wantConsentKeySchema = z.object({ wantId: idSchema });
export const couponConsentKeySchema = z.object({ couponId: idSchema });

/** A coupon that its owner gives without being asked. */
const couponConsentSchema = z.object({
  coupon: couponSummarySchema,
  minValue: z.int().nullable(),
  until: daySchema,
});
export type CouponConsent = z.output<typeof couponConsentSchema>;

/** A wish that is fulfilled without asking its person. */
const wantConsentSchema = z.object({
  wantId: idSchema,
  minValue: z.int().nullable(),
  minHealth: z.int(),
  times: z.int(),
  until: daySchema,
});
export type WantConsent = z.output<typeof wantConsentSchema>;

/** All that the caller has agreed to. */
export const consentsSchema = z.object({
  wants: z.array(wantConsentSchema),
  coupons: z.array(couponConsentSchema),
});
export type Consents = z.output<typeof consentsSchema>;

/** The next market day, and what would happen if it were now. */
const nextMarketDaySchema = z.object({
  day: daySchema,
  at: instantSchema,
  /** Until when consents can be taken back. */
  locksAt: instantSchema,
  timeZone: z.string(),
  /** How many coupons would change hands, as of the last quarter of an hour. */
  coupons: z.int(),
  /** How many of these are the caller’s. */
  own: z.int(),
  /** SHA-256, in hex, of the seed that will decide between equals. */
  commitment: z.string(),
});
/** Null: there is no market day. */
export const marketDayNowSchema = nextMarketDaySchema.nullable();
export type MarketDayNow = z.output<typeof marketDayNowSchema>;

export const marketDayInputSchema = z.object({ day: daySchema });

/** The JSON of a `MarketDayRecord`, as it is hashed. */
export const certificateSchema = z.object({ text: z.string() });

export const MARKET_DAY_STATES = ['planned', 'checked', 'trading', 'done', 'missed'] as const;

/** What the caller gave and got on a market day, and the numbers under which they stand in its certificate. */
const ownNumbersSchema = z.object({
  person: z.int(),
  coupons: z.array(z.object({ number: z.int(), couponId: idSchema, title: z.string() })),
  wishes: z.array(z.object({ number: z.int(), wantId: idSchema })),
  exchangeIds: z.array(idSchema),
});

export const marketDaySchema = z.object({
  day: daySchema,
  at: instantSchema,
  state: z.enum(MARKET_DAY_STATES),
  commitment: z.string(),
  /** How many people took part, and how many coupons could have changed hands; null before the hour. */
  people: z.int().nullable(),
  coupons: z.int().nullable(),
  /** How many coupons changed hands. */
  traded: z.int().nullable(),
  /** How many coupons each ring moved that came about, the longest first, and how many were dropped. */
  rings: z.array(z.int()),
  dropped: z.int(),
  /** SHA-256, in hex, of the certificate as it is published; null until the day is done. */
  certificateHash: z.string().nullable(),
  /** The days before and after that there are pages of. */
  previous: daySchema.nullable(),
  next: daySchema.nullable(),
  /** Null for visitors, and for who took no part. */
  own: ownNumbersSchema.nullable(),
});
marketDaySchema.register(z.globalRegistry, { id: 'MarketDay' });
export type MarketDay = z.output<typeof marketDaySchema>;
