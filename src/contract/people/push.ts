import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import { idSchema, instantSchema, timeZoneSchema } from '#contract/base/primitives.ts';

/** The most browsers of a person that get pushes: one more takes the place of the oldest. */
export const PUSH_BROWSERS_MAX = 10;

/** Length in characters of the address at which a push service takes pushes for a browser. */
export const PUSH_ENDPOINT_MAX = 1_000;

/** Bytes in base64url, without padding. */
function bytesSchema(length: number) {
  const text = Math.ceil((length * 4) / 3);
  return z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${text}}$`), {
    error: ofField(() => t`Must be ${length} bytes in base64url`),
  });
}

/** What a browser's `PushSubscription` says. */
export const subscribePushInputSchema = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(PUSH_ENDPOINT_MAX),
  keys: z.object({
    /** An uncompressed point of P-256. */
    p256dh: bytesSchema(65),
    auth: bytesSchema(16),
  }),
});
export type SubscribePushInput = z.output<typeof subscribePushInputSchema>;

const timeSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: ofField(() => t`Must be a time such as 22:00`) });

/** The hours without pushes, every day; an end before the start is on the next day. */
export const quietHoursSchema = z
  .object({ from: timeSchema, to: timeSchema, timeZone: timeZoneSchema })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: () => t`Choose another time than the start`,
  });
export type QuietHours = z.output<typeof quietHoursSchema>;

export const setQuietHoursInputSchema = z.object({ quietHours: quietHoursSchema.nullable() });

const pushBrowserSchema = z.object({
  id: idSchema,
  /** Such as 'Firefox on Linux', derived from the user agent. */
  device: z.string(),
  /** Whether this call comes from it. */
  isCurrent: z.boolean(),
  createdAt: instantSchema,
  /** When its push service last took a push of ours. */
  lastUsedAt: instantSchema.nullable(),
});

export type PushBrowser = z.output<typeof pushBrowserSchema>;

export const pushSettingsSchema = z.object({
  /** Our public key, by which push services know us: 65 bytes in base64url. */
  publicKey: z.string(),
  browsers: z.array(pushBrowserSchema),
  /** Null: there are none. */
  quietHours: quietHoursSchema.nullable(),
});
export type PushSettings = z.output<typeof pushSettingsSchema>;

/** What a push says to the worker of the browser. */
export const pushPayloadSchema = z.object({
  title: z.string(),
  body: z.string(),
  /** The page about it: a path of this site. */
  path: z.string(),
  /** A later push with the same one takes its place on the screen. */
  tag: z.string(),
});
export type PushPayload = z.output<typeof pushPayloadSchema>;
