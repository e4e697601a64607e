import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { CURSOR, CURSOR_MAX, isStorable, MAX_ID, PAGE_MAX, SEARCH_MAX, TIME_ZONE_MAX } from './bounds.ts';
import { COUNTRY_CODES } from './countries.ts';
import { countryCode } from './country-names.ts';
import { ofField, orBeyond } from './input-texts.ts';
import { visibleCode } from './invisible.ts';
import { formatNumber } from './locale.ts';
import { CURRENCIES } from './money.ts';
import { foldBlanks, lineProblem } from './one-line.ts';

export const clientKeySchema = z
  .uuid()
  .optional()
  .describe('Chosen by the caller for what is sent: sent again with it, nothing more is stored')
  .meta({ id: 'ClientKey' });

export const idSchema = z
  .int({ error: orBeyond(ofField(() => t`Must be a whole number`)) })
  .min(1, { error: ofField(() => t`Must be at least 1`) })
  .max(MAX_ID, { error: ofField(() => t`Is too large for an id`) })
  .meta({ id: 'Id' });

/** What reads the body of a request: only a route of REST has one. */
export const bodySchema = <Read>() =>
  z.custom<Read>((value) => typeof value === 'function', {
    error: ofField(() => t`Must be the body of a request`),
  });

export const idInputSchema = z.object({ id: idSchema });

const ignoredSchema = z
  .unknown()
  .transform(() => undefined)
  .optional()
  .describe('Accepted and ignored');

/** Fields that clients may send and nobody reads. Others that the schema of an input does not name are refused. */
export function ignored<Name extends string>(...names: readonly Name[]): Record<Name, typeof ignoredSchema> {
  return Object.fromEntries(names.map((name) => [name, ignoredSchema])) as Record<Name, typeof ignoredSchema>;
}

const unstorable = ofField(() => t`Contains characters that cannot be stored`);
const atLeast = (min: number) => ofField(() => t`Must have at least ${min} characters`);
const atMost = (max: number) => ofField(() => t`Must have at most ${max} characters`);

/**
 * Text that people write: trimmed, bounded, without control characters or lone surrogates (PostgreSQL refuses
 * both).
 */
export function textSchema(max: number, min = 0, tooShort = atLeast(min)) {
  return boundedText(max, min, tooShort).refine(isStorable, { error: unstorable });
}

/** A text on one line, such as a title: see one-line.ts. */
export function lineSchema(max: number, min = 0, tooShort = atLeast(min)) {
  return z
    .string()
    .overwrite(foldBlanks)
    .min(min, { error: tooShort })
    .max(max, { error: atMost(max), abort: true })
    .refine(isStorable, { error: unstorable })
    .superRefine((text, issues) => {
      const message = lineProblem(text);
      if (message !== null) issues.addIssue({ code: 'custom', message: ofField(() => message)() });
    });
}

/** An optional text on one line: missing, null and blank all become null. */
export function optionalLineSchema(max: number) {
  return lineSchema(max)
    .nullish()
    .transform((text) => text || null);
}

function boundedText(max: number, min: number, tooShort: () => string) {
  return z
    .string()
    .trim()
    .min(min, { error: tooShort })
    .max(max, { error: atMost(max), abort: true });
}

/** An optional text: missing, null and blank all become null. */
export function optionalTextSchema(max: number) {
  return textSchema(max)
    .nullish()
    .transform((text) => text || null);
}

/**
 * A code: without characters that nobody sees and outer white space, which people paste and tills do not know. Separators
 * and other control characters of a scanned symbol belong to it.
 */
export function codeTextSchema(max: number, min = 0) {
  return z
    .string()
    .overwrite(visibleCode)
    .min(min, { error: atLeast(min) })
    .max(max, { error: atMost(max), abort: true })
    .refine((text) => !/\0|[\ud800-\udfff]/u.test(text), { error: unstorable });
}

/** A text in an edit: null and blank remove it. */
export function removableTextSchema(max: number) {
  return textSchema(max)
    .nullable()
    .transform((text) => text || null);
}

/** Length in characters of the reason that somebody gives for a decision. */
export const REASON_MAX = 1_000;

export const searchSchema = textSchema(SEARCH_MAX).optional();

/** A UTC instant in ISO 8601. */
export const instantSchema = z.iso.datetime().meta({ id: 'Instant', examples: ['2035-12-31T23:59:59.000Z'] });

/** An amount of a bid, payment or fee. The description goes into the API documentation. */
export const amountSchema = z
  .string()
  .regex(/^\d{1,8}\.\d{2}$/)
  .describe('An amount as a decimal text with two digits: "12.50"')
  .meta({ id: 'Amount', examples: ['12.50'] });

export const currencySchema = z.enum(CURRENCIES).meta({ id: 'Currency' });

/** The API documentation's description of a coupon's value. */
export const VALUE_UNIT = 'An integer: cents, or hundredths of a per cent for a percentage';

/** The answer of a call without a result. */
export const okSchema = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });

/** A calendar day, `YYYY-MM-DD`. */
export const daySchema = z.iso.date().meta({ id: 'Day', examples: ['2035-12-31'] });

/** Lists are read in pages. */
const MAX_PAGE_SIZE = 100;
/** Of a list that is asked for without a limit. */
const DEFAULT_PAGE_SIZE = 50;

/** A page by its number, as far as rows are counted, or by the cursor of a page beside it, which reaches any row. */
export const pageRefSchema = z
  .union(
    [
      z.int().min(1).max(PAGE_MAX),
      z
        .string()
        .max(CURSOR_MAX)
        .regex(CURSOR, { error: ofField(() => t`Is not a page of this list`) }),
    ],
    { error: ofField(() => t`Must be a page number from 1 to ${formatNumber(PAGE_MAX)}, or a cursor`) },
  )
  .describe('A page number from 1, or the cursor of the next or previous page from a page before')
  .meta({ id: 'PageRef' });
export type PageRef = z.output<typeof pageRefSchema>;

export const pagingSchema = z.object({
  page: pageRefSchema.default(1),
  limit: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
});

/**
 * One page of a list. `total` counts at most `COUNT_CAP` rows, so that a count takes no longer with a million rows;
 * `totalIsCapped` says that there are more. The cursors are the `page` of the pages beside it; null at the ends.
 */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.int(),
    totalIsCapped: z.boolean(),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable(),
  });
}

export interface Page<Item> {
  items: Item[];
  total: number;
  totalIsCapped: boolean;
  nextCursor: string | null;
  previousCursor: string | null;
}

/** More than the longest name has. */
const COUNTRY_NAME_MAX = 100;

/** A country in an answer. */
export const countrySchema = z
  .string()
  .meta({ id: 'Country', description: 'A code of ISO 3166-1 alpha-2', enum: COUNTRY_CODES });

/**
 * A country by its code or its English name; the output is the code.
 * @param error what refuses another text
 */
export function givenCountrySchema(
  error = ofField(() => t`Is neither a country code such as CA nor the English name of a country`),
) {
  return z
    .string()
    .max(COUNTRY_NAME_MAX, { error })
    .transform((given, { issues }) => {
      const code = countryCode(given);
      if (code === undefined) issues.push({ code: 'custom', message: error(), input: given });
      return code ?? z.NEVER;
    })
    .meta({
      id: 'GivenCountry',
      description: 'A country: a code of ISO 3166-1 alpha-2, or its English name',
      anyOf: [{ enum: COUNTRY_CODES }, { description: 'An English name', examples: ['Canada'] }],
    });
}

/** A time zone of the IANA database, as browsers name their own. */
export const timeZoneSchema = z
  .string()
  .max(TIME_ZONE_MAX)
  .refine(isTimeZone, { error: ofField(() => t`Is not a time zone such as America/Vancouver`) });

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
