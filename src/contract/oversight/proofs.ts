import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { MAX_ID } from '#contract/base/bounds.ts';
import { ofField } from '#contract/base/input-texts.ts';
import { marketName } from '#contract/base/market.ts';
import {
  amountSchema,
  daySchema,
  instantSchema,
  pageSchema,
  pagingSchema,
} from '#contract/base/primitives.ts';
import { EXPOSURE_KINDS } from './proof-lines.ts';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const exposureEntrySchema = z.object({
  kind: z.enum(EXPOSURE_KINDS).describe('What happened'),
  at: instantSchema,
  person: z.int().min(1).nullable().describe('The number of the person within the chain; 1 listed the code'),
});

/** Who has been shown the present code of a coupon; the entries are for its owner alone. */
export const exposureSchema = z.object({
  people: z.int().describe('How many people have had the code, its owner included'),
  isKnown: z.boolean().describe('Whether the same code was on this market before'),
  isReissued: z.boolean().describe('Whether the merchant issued the code at the last transfer'),
  isTakenOver: z.boolean().describe('Whether some entries are from records without a chain'),
  own: z
    .object({
      you: z.int().nullable().describe('The number of the caller within the chain'),
      length: z.int(),
      entries: z.array(exposureEntrySchema).describe('The latest, oldest first'),
    })
    .nullable()
    .describe('For the owner; null for everybody else'),
});
exposureSchema.register(z.globalRegistry, { id: 'Exposure' });
export type Exposure = z.output<typeof exposureSchema>;

/** How many of the latest entries the owner is shown; the statement has all. */
export const EXPOSURES_SHOWN = 100;

/** More entries than this are in no statement. */
export const STATEMENT_ENTRIES_MAX = 5_000;

/** The `typ` in the header of a statement, and of a daily root. */
export const STATEMENT_TYPE = 'clipswap-exposure+jwt';
export const ROOT_TYPE = 'clipswap-root+jwt';

/** What a statement says, as the payload of its JWS. */
export const statementSchema = z.object({
  iss: z.string(),
  iat: z.int(),
  jti: z.uuid(),
  coupon: z.int().min(1).max(MAX_ID),
  generation: z.int().min(1),
  chain: z.uuid(),
  length: z.int().min(1),
  head: hashSchema,
  you: z.int().min(1).nullable(),
  entries: z.array(exposureEntrySchema).max(STATEMENT_ENTRIES_MAX),
});
export type Statement = z.output<typeof statementSchema>;

const JWS_MAX = 900_000;

export const signedStatementSchema = z.object({
  statement: z.string().describe('A JWS in its compact form, signed by a key of /.well-known/jwks.json'),
});
signedStatementSchema.register(z.globalRegistry, { id: 'SignedStatement' });

export const checkStatementInputSchema = z.object({
  statement: z
    .string()
    .trim()
    .max(JWS_MAX)
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, {
      error: ofField(() => t`Is not a statement of ${{ market: marketName() }}`),
    }),
});
export type CheckStatementInput = z.output<typeof checkStatementInputSchema>;

const inclusionSchema = z.object({
  day: daySchema,
  signature: z.string().describe('The daily root, a JWS'),
  place: z.int().describe('The place of the leaf in its group, from 0'),
  leaves: z.array(hashSchema).describe('The leaves of its group'),
  group: z.int().describe('The place of the group, from 0'),
  groups: z.array(hashSchema).describe('The hashes of all groups'),
});
export type Inclusion = z.output<typeof inclusionSchema>;

/** What the records say now about the chain of a statement. */
export const checkedStatementSchema = z.object({
  isOurs: z.boolean().describe('Whether a key of this installation has signed it'),
  chain: z
    .object({
      entries: z.array(exposureEntrySchema).describe('Its entries now, at most as many as the statement has'),
      inclusion: inclusionSchema.nullable().describe('The daily root with this head; null: none yet'),
    })
    .nullable()
    .describe('Null: not signed by us, or there is no such chain'),
});
checkedStatementSchema.register(z.globalRegistry, { id: 'CheckedStatement' });
export type CheckedStatement = z.output<typeof checkedStatementSchema>;

/** Counts below this are not published: they could name somebody. */
export const SMALLEST_COUNT = 5;

const countSchema = z.int().nullable().describe(`Null: fewer than ${SMALLEST_COUNT}, but not 0`);
const hoursSchema = z.number().nullable().describe('In hours; null: of fewer than 5');

const booksPeriodSchema = z.object({
  swaps: countSchema,
  sales: countSchema,
  claims: countSchema,
  claimsPer100: z.number().nullable().describe('Claims for each hundred completed deals'),
  granted: countSchema.describe('Claims that ended for the person who made them'),
  declined: countSchema,
  withdrawn: countSchema,
  open: countSchema,
  hoursToAnswer: hoursSchema.describe('Half of the answers to claims came within this time, in hours'),
  hoursToDecide: hoursSchema.describe('Half of the decisions came within this time, in hours'),
  hoursOldest: z
    .number()
    .nullish()
    .describe(
      'Since when the oldest open claim is open, in hours; null: none is, or the figures are older than this one',
    ),
});
booksPeriodSchema.register(z.globalRegistry, { id: 'BooksPeriod' });
export type BooksPeriod = z.output<typeof booksPeriodSchema>;

/** How many days the recent figures cover. */
export const BOOKS_DAYS = 90;

/** What a market can show of itself. The text of it is part of the daily root. */
export const booksFiguresSchema = z.object({
  recent: booksPeriodSchema.describe(`Of the last ${BOOKS_DAYS} days`),
  all: booksPeriodSchema.describe('Since the beginning'),
  salesHeld: countSchema.describe('Paid by buyers and not yet final'),
  heldAmount: amountSchema.nullable().describe('What their buyers have paid; null: of fewer than 5'),
  payoutsWaiting: countSchema.describe('Final sales whose seller has not been paid'),
  payoutsAmount: amountSchema.nullable().describe('What these sellers get; null: of fewer than 5'),
  reserve: amountSchema.nullable().describe('For claims after the hold; null: there is no reserve'),
  marketDays: z
    .array(
      z.object({
        day: daySchema,
        commitment: hashSchema.describe('SHA-256 of the seed, which is published afterwards'),
        certificateHash: hashSchema.nullable().describe('SHA-256 of what is published; null: it is not over'),
      }),
    )
    .default([])
    .describe('The next market day and those of the last week'),
});
booksFiguresSchema.register(z.globalRegistry, { id: 'BooksFigures' });
export type BooksFigures = z.output<typeof booksFiguresSchema>;

const dailyRootSchema = z.object({
  day: daySchema,
  madeAt: instantSchema,
  root: hashSchema,
  previous: hashSchema,
  chains: z.int(),
  chainsHash: hashSchema,
  journals: z.int(),
  ledgerHash: hashSchema,
  booksHash: hashSchema,
  signature: z.string().describe('A JWS of all this'),
});
dailyRootSchema.register(z.globalRegistry, { id: 'DailyRoot' });
export type DailyRoot = z.output<typeof dailyRootSchema>;

export const openBooksSchema = z.object({
  figures: booksFiguresSchema.nullable(),
  text: z.string().nullable().describe('The figures as the text whose SHA-256 is `booksHash` of the root'),
  root: dailyRootSchema.nullable().describe('Null: none has been made yet'),
});
openBooksSchema.register(z.globalRegistry, { id: 'OpenBooks' });
export type OpenBooks = z.output<typeof openBooksSchema>;

/** The public keys of this installation (RFC 7517). */
export const keySetSchema = z.object({
  keys: z.array(
    z.object({
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      y: z.string(),
      kid: z.string(),
      alg: z.string(),
      use: z.literal('sig'),
    }),
  ),
});

export const listRootsInputSchema = pagingSchema;
export const rootsPageSchema = pageSchema(dailyRootSchema);
