import { z } from 'zod';
import { idSchema } from '#contract/base/primitives.ts';
import { imageKindSchema } from '#contract/coupons/images.ts';

/** How many codes one device keeps: those of the coupons that expire first. */
export const OFFLINE_CODES_MAX = 200;
/** How many codes come at once. */
export const OFFLINE_CODES_AT_ONCE = 10;
/** A device that has not reached us for so long forgets its codes. */
export const OFFLINE_CODES_DAYS = 14;
/** How many views are reported at once. */
export const REPORTED_VIEWS_MAX = 100;

const offlineIdsSchema = z.array(idSchema).max(OFFLINE_CODES_MAX);

export const offlineCodesInputSchema = z.object({
  known: z
    .array(z.object({ id: idSchema, version: z.string().max(40) }))
    .max(OFFLINE_CODES_MAX)
    .describe('The codes that the device has, as they came'),
  only: offlineIdsSchema.nullable().describe('The coupons whose codes it keeps; null: all of the caller’s'),
});
export type OfflineCodesInput = z.output<typeof offlineCodesInputSchema>;

/** A code with all that is shown with it. */
const offlineCodeSchema = z.object({
  id: idSchema,
  version: z.string(),
  title: z.string(),
  merchant: z.string(),
  expiryDate: z.string().nullable(),
  code: z.string().nullable(),
  pin: z.string().nullable(),
  qrCode: z.string().nullable().describe('A picture as a data URL'),
  barcode: z.string().nullable().describe('A picture as a data URL'),
  drawn: z.array(imageKindSchema).describe('The pictures that we have made from the code'),
});
export type OfflineCode = z.output<typeof offlineCodeSchema>;

export const offlineCodesSchema = z.object({
  codes: z
    .array(offlineCodeSchema)
    .max(OFFLINE_CODES_AT_ONCE)
    .describe('New or changed ones; ask again for more'),
  hasMore: z.boolean(),
  gone: z.array(idSchema).describe('Known ones that the device has to forget'),
});
offlineCodesSchema.register(z.globalRegistry, { id: 'OfflineCodes' });
export type OfflineCodes = z.output<typeof offlineCodesSchema>;

/** Views that a device has shown without a network. Ages, because clocks of devices are wrong. */
export const reportViewsInputSchema = z.object({
  views: z
    .array(z.object({ couponId: idSchema, secondsAgo: z.int().min(0) }))
    .min(1)
    .max(REPORTED_VIEWS_MAX),
});
export type ReportViewsInput = z.output<typeof reportViewsInputSchema>;
