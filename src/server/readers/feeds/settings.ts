import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { currencySchema } from '#contract/base/primitives.ts';
import { MERCHANT_MAX } from '#contract/coupons/limits.ts';
import { FEED_FORMATS, FEED_NETWORKS } from '#contract/oversight/sources.ts';
import { type Environment, readSettingsFile } from '#server/core/settings-file.ts';
import { FIELDS } from './presets.ts';

export type FeedFormat = (typeof FEED_FORMATS)[number];

const nameSchema = z.string().min(1);

/** How to read a feed's text. */
const readingShape = {
  format: z.enum(FEED_FORMATS),
  /** Selects the field names; without it, the most common names apply. */
  network: z.enum(FEED_NETWORKS).optional(),
  /** Names or dotted paths of single fields; they come first. */
  fields: z
    .partialRecord(
      z.enum(FIELDS),
      z.union([nameSchema.transform((name) => [name]), z.array(nameSchema).min(1)]),
    )
    .optional(),
  /** Where the rows are, in JSON and XML: a dotted path. */
  list: nameSchema.optional(),
  /** For a feed of one shop. */
  merchant: z.string().trim().min(1).max(MERCHANT_MAX).optional(),
  /** For amounts without a currency. */
  currency: currencySchema.optional(),
  /** If true, 03/04/2030 is in April, else in March. */
  isDayFirst: z.boolean().optional(),
  charset: z.string().refine(isCharset, 'is not a charset that can be read').optional(),
};

/** One feed of the operator's file, after its variables are filled in. */
export const feedSettingSchema = z
  .strictObject({
    ...readingShape,
    name: z.string().trim().min(1).max(80),
    url: z.string().refine(isFeedUrl, 'must begin with https:// or file:'),
    method: z.enum(['GET', 'POST']).default('GET'),
    headers: z.record(z.string().regex(/^[\w-]+$/), z.string()).default({}),
    /** Sent as JSON. */
    body: z.record(z.string(), z.json()).optional(),
    /** The page number's parameter, in the address or with dots in the body; networks define their own. */
    pageParameter: nameSchema.optional(),
    everyHours: z.number().min(1).max(168).default(6),
  })
  .refine(({ method, body }) => method === 'POST' || body === undefined, {
    path: ['body'],
    message: 'needs "method": "POST"',
  });

const settingsSchema = z
  .strictObject({ feeds: z.array(feedSettingSchema) })
  .superRefine(({ feeds }, issues) => {
    const names = feeds.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) !== index)
        issues.addIssue({
          code: 'custom',
          path: ['feeds', index, 'name'],
          message: 'is taken by a feed before',
        });
    }
  });

export const readingSchema = z.object(readingShape);
export type FeedReading = z.output<typeof readingSchema>;
export type FeedSetting = z.output<typeof feedSettingSchema>;

function isFeedUrl(url: string): boolean {
  return url.startsWith('file:') || (url.startsWith('https://') && URL.canParse(url));
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** Reads the JSON file of the feeds; null means no feeds. `file:` paths are relative to its folder. */
export function loadFeedSettings(file: string | null, env: Environment): readonly FeedSetting[] {
  if (file === null) return [];
  const literal = ['name', 'merchant', 'fields'];
  const { feeds } = readSettingsFile({ what: 'feeds', file, schema: settingsSchema, env, literal });
  const folder = path.dirname(path.resolve(file));
  return feeds.map((feed) =>
    feed.url.startsWith('file:') ? { ...feed, url: localPath(feed.url, folder) } : feed,
  );
}

/** `file:` with the absolute path. */
function localPath(url: string, folder: string): string {
  const place = url.startsWith('file://')
    ? fileURLToPath(url)
    : path.resolve(folder, url.slice('file:'.length));
  return `file:${place}`;
}
