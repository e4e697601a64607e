import { z } from 'zod';
import { amountSchema, daySchema, idSchema, instantSchema } from '#contract/base/primitives.ts';

/** The fees of a week that begins on a Monday (UTC); refunded payments do not count. */
export const weeklyFeesSchema = z
  .object({ week: daySchema, fees: amountSchema, sales: z.int() })
  .meta({ id: 'WeeklyFees' });
export type WeeklyFees = z.output<typeof weeklyFeesSchema>;

export const weeklyFeesInputSchema = z.object({ weeks: z.int().min(1).max(104).default(26) });
export type WeeklyFeesInput = z.output<typeof weeklyFeesInputSchema>;

/** A scheduled job and its last run. */
const jobHealthSchema = z.object({
  name: z.string(),
  cron: z.string(),
  lastStartedAt: instantSchema.nullable(),
  lastSucceededAt: instantSchema.nullable(),
  lastDurationMs: z.int().nullable(),
  /** The error of the last run; null when it succeeded. */
  lastError: z.string().nullable(),
  state: z.enum(['ok', 'failing', 'late', 'never']),
});
export type JobHealth = z.output<typeof jobHealthSchema>;

/** The events of one payment provider. */
const webhookHealthSchema = z.object({
  provider: z.enum(['stripe', 'paypal']),
  received24h: z.int(),
  /** Not processed yet. */
  waiting: z.int(),
  /** How many of the waiting events have failed before. */
  failing: z.int(),
  lastReceivedAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
});
export type WebhookHealth = z.output<typeof webhookHealthSchema>;

/** What a check of the installation has found. */
const checkStateSchema = z.enum(['good', 'attention', 'broken', 'not_set_up']).meta({ id: 'CheckState' });
export type CheckState = z.output<typeof checkStateSchema>;

const checkSchema = z.object({
  /** The same in every language, such as 'public-url'. */
  id: z.string(),
  name: z.string(),
  state: checkStateSchema,
  /** A sentence that says what was found. */
  found: z.string(),
  /** A sentence that says what to do; null when there is nothing to do. */
  advice: z.string().nullable(),
});
export type Check = z.output<typeof checkSchema>;

export const runChecksInputSchema = z.object({
  /** Whether the admin gets an email, which shows that mail arrives. */
  sendsMail: z.boolean().default(false),
});

export const checksSchema = z
  .object({ ranAt: instantSchema, checks: z.array(checkSchema).readonly() })
  .meta({ id: 'Checks' });
export type Checks = z.output<typeof checksSchema>;

export const healthSchema = z.object({
  /** The last run of the checks, in Admin or by `npm run doctor`; null: they have never run. */
  lastChecks: z.object({ ranAt: instantSchema, broken: z.int(), attention: z.int() }).nullable(),
  jobs: z.array(jobHealthSchema),
  webhooks: z.array(webhookHealthSchema),
  mail: z.object({
    /** smtp: mail is sent; outbox: mail is shown on the developer page; none: mail is not set up and waits. */
    transport: z.enum(['smtp', 'outbox', 'none']),
    waiting: z.int(),
    /** Mails that were given up after the last try. */
    failed: z.int(),
    lastSentAt: instantSchema.nullable(),
  }),
  newCodes: z.object({
    waiting: z.int(),
    givenUp: z
      .array(z.object({ couponId: idSchema, merchant: z.string(), at: instantSchema }))
      .describe(
        'Coupons whose old code could not be restored, latest first: a person has to ask the merchant',
      ),
  }),
});
healthSchema.register(z.globalRegistry, { id: 'Health' });
export type Health = z.output<typeof healthSchema>;

/** The result of submitting the sitemap to the search engines (decisions 6.5), for each of them. */
export const sitemapSubmissionSchema = z.object({
  /** Whether at least one engine has accepted. */
  success: z.boolean(),
  engines: z.array(
    z.object({ name: z.string(), isSetUp: z.boolean(), success: z.boolean(), message: z.string() }),
  ),
  time: instantSchema,
  error: z.string().nullable(),
});
sitemapSubmissionSchema.register(z.globalRegistry, { id: 'SitemapSubmission' });
export type SitemapSubmission = z.output<typeof sitemapSubmissionSchema>;
