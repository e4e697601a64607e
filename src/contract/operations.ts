import { z } from 'zod';
import { amountSchema, daySchema, instantSchema } from './primitives.ts';

/** The fees of a week that begins on a Monday (UTC), of payments that were not given back. */
export const weeklyFeesSchema = z.object({ week: daySchema, fees: amountSchema, sales: z.int() });
export type WeeklyFees = z.output<typeof weeklyFeesSchema>;

export const weeklyFeesInputSchema = z.object({ weeks: z.int().min(1).max(104).default(26) });
export type WeeklyFeesInput = z.output<typeof weeklyFeesInputSchema>;

/** A job of the clock, and how it fared. */
const jobHealthSchema = z.object({
  name: z.string(),
  cron: z.string(),
  lastStartedAt: instantSchema.nullable(),
  lastSucceededAt: instantSchema.nullable(),
  lastDurationMs: z.int().nullable(),
  /** What the last run failed with; null when it went well. */
  lastError: z.string().nullable(),
  state: z.enum(['ok', 'failing', 'late', 'never']),
});
export type JobHealth = z.output<typeof jobHealthSchema>;

/** The events of one payment provider. */
const webhookHealthSchema = z.object({
  provider: z.enum(['stripe', 'paypal']),
  received24h: z.int(),
  /** Not worked off yet. */
  waiting: z.int(),
  /** Of those, the ones that have failed before. */
  failing: z.int(),
  lastReceivedAt: instantSchema.nullable(),
  lastError: z.string().nullable(),
});
export type WebhookHealth = z.output<typeof webhookHealthSchema>;

export const healthSchema = z.object({
  jobs: z.array(jobHealthSchema),
  webhooks: z.array(webhookHealthSchema),
  mail: z.object({
    /** smtp: sent out; outbox: kept on the developer page; none: not set up, mail waits. */
    transport: z.enum(['smtp', 'outbox', 'none']),
    waiting: z.int(),
    /** Given up after the last try. */
    failed: z.int(),
    lastSentAt: instantSchema.nullable(),
  }),
});
export type Health = z.output<typeof healthSchema>;

/** What became of telling the search engines (decisions 6.5): each engine's true result. */
export const sitemapSubmissionSchema = z.object({
  /** At least one engine has accepted. */
  success: z.boolean(),
  engines: z.array(z.object({ name: z.string(), success: z.boolean(), message: z.string() })),
  time: instantSchema,
  error: z.string().nullable(),
});
export type SitemapSubmission = z.output<typeof sitemapSubmissionSchema>;
