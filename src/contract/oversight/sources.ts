import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import {
  codeTextSchema,
  currencySchema,
  idSchema,
  instantSchema,
  lineSchema,
  textSchema,
} from '#contract/base/primitives.ts';
import { CODE_MAX, MERCHANT_MAX } from '#contract/coupons/limits.ts';

/** The most feeds, and the most validators, that admins set up. */
const SOURCES_MAX = 50;
/** Length in characters of what is set up as JSON. */
const MORE_MAX = 10_000;
const ADDRESS_MAX = 2_000;

/** Where a source's own key is put in, so that it is shown and sent to no browser. */
export const KEY_PLACE = '{secret}';

export const FEED_FORMATS = ['csv', 'tsv', 'json', 'xml', 'html'] as const;
export const FEED_NETWORKS = [
  'awin',
  'rakuten',
  'cj',
  'couponapi',
  'linkmydeals',
  'fmtc',
  'admitad',
  'google',
] as const;

/** An address on the web whose host is fixed, and that holds no password. */
function isFeedAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, host } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && !/[{}]|%7/i.test(host);
}

/** What few sources need, as the operator's file has it: docs/feeds.md and docs/validators.md. */
const moreSchema = z
  .record(z.string().max(60), z.json())
  .refine((more) => JSON.stringify(more).length <= MORE_MAX, { error: ofField(() => t`Is too long`) });

const feedShape = {
  name: lineSchema(80, 1),
  url: z
    .string()
    .trim()
    .max(ADDRESS_MAX)
    .refine(isFeedAddress, {
      error: () => t`The address must begin with https:// and hold no user name or password.`,
    }),
  format: z.enum(FEED_FORMATS),
  network: z.enum(FEED_NETWORKS).nullable(),
  /** For a feed of one merchant. */
  merchant: lineSchema(MERCHANT_MAX, 1).nullable(),
  /** For amounts without a currency. */
  currency: currencySchema.nullable(),
  everyHours: z.int().min(1).max(168),
  more: moreSchema,
  /** Whether it is not read for now. */
  isPaused: z.boolean(),
};
const feedSchema = z.object(feedShape);
/** A feed that an admin sets up, without its key. */
export type OwnFeed = z.output<typeof feedSchema>;

export const VALIDATOR_SOURCES = ['voucherify', 'coupontools', 'aklamio'] as const;

const validatorShape = {
  name: lineSchema(80, 1),
  source: z.enum(VALIDATOR_SOURCES),
  baseUrl: z.string().trim().max(ADDRESS_MAX),
  merchants: z.array(lineSchema(MERCHANT_MAX, 1)).min(1).max(200),
  /** Names the account with Voucherify; others have none. */
  appId: textSchema(200, 1).nullable(),
  currency: currencySchema.nullable(),
  checksPerDay: z.int().min(0).max(1_000_000),
  more: moreSchema,
  /** Whether it is not asked for now. */
  isPaused: z.boolean(),
};
const validatorSchema = z.object(validatorShape);
/** A validator that an admin sets up, without its key. */
export type OwnValidator = z.output<typeof validatorSchema>;

/** Names the key of a source, which the server keeps encrypted. */
const keyed = { keyId: z.uuid().nullable() };

const hasOwnNames = (sources: readonly { readonly name: string }[]) =>
  new Set(sources.map(({ name }) => name)).size === sources.length;

/** The settings, as they are stored. */
export const ownFeedsSchema = z
  .array(feedSchema.extend(keyed))
  .max(SOURCES_MAX)
  .refine(hasOwnNames)
  .readonly();
export type StoredFeed = z.output<typeof ownFeedsSchema>[number];
export const ownValidatorsSchema = z
  .array(validatorSchema.extend(keyed))
  .max(SOURCES_MAX)
  .refine(hasOwnNames)
  .readonly();
export type StoredValidator = z.output<typeof ownValidatorsSchema>[number];

/** What a source's server knows us by: in a header, so visible characters alone. Null: none; left out: as before. */
const keySchema = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .regex(/^[\x21-\x7e]+$/, { error: ofField(() => t`Contains characters that no key has`) })
  .nullish();

const changing = {
  key: keySchema,
  /** False: the one of this name is changed. It keeps its name. */
  isNew: z.boolean(),
  /** The latest change that the admin has seen: after another one the call answers 409. */
  follows: idSchema.nullable(),
};

export const putFeedInputSchema = z.object({ feed: feedSchema, ...changing });
export type PutFeedInput = z.output<typeof putFeedInputSchema>;
export const tryFeedInputSchema = putFeedInputSchema.pick({ feed: true, key: true });
export type TryFeedInput = z.output<typeof tryFeedInputSchema>;

export const putValidatorInputSchema = z.object({ validator: validatorSchema, ...changing });
export type PutValidatorInput = z.output<typeof putValidatorInputSchema>;
export const tryValidatorInputSchema = putValidatorInputSchema
  .pick({ validator: true, key: true })
  .extend({ merchant: lineSchema(MERCHANT_MAX, 1), code: codeTextSchema(CODE_MAX, 1) });
export type TryValidatorInput = z.output<typeof tryValidatorInputSchema>;

export const removeSourceInputSchema = z.object({ name: lineSchema(80, 1), follows: idSchema.nullable() });
export type RemoveSourceInput = z.output<typeof removeSourceInputSchema>;

const listShape = {
  /** The variable of the environment that sets them up instead; then nothing is changed here. */
  lockedBy: z.string().nullable(),
  /** The latest change; null: there was none. */
  changeId: idSchema.nullable(),
};

export const feedsSchema = z.object({
  ...listShape,
  feeds: z.array(
    z.object({
      name: z.string(),
      /** Null where the operator's file sets it up. */
      feed: feedSchema.nullable(),
      hasKey: z.boolean(),
      triedAt: instantSchema.nullable(),
      /** When it was last read to its end. */
      readAt: instantSchema.nullable(),
      problem: z.string().nullable(),
      offers: z.int(),
      refused: z.int(),
    }),
  ),
});
export type Feeds = z.output<typeof feedsSchema>;

/** The first offers of a feed, or why it has none. */
export const triedFeedSchema = z.object({
  offers: z.array(
    z.object({
      merchant: z.string(),
      code: z.string(),
      title: z.string(),
      expiryDate: z.string().nullable(),
    }),
  ),
  problem: z.string().nullable(),
});
export type TriedFeed = z.output<typeof triedFeedSchema>;

export const validatorsSchema = z.object({
  ...listShape,
  /** The addresses that the operator allows codes to be sent to. */
  allowed: z.array(z.string()).readonly(),
  validators: z.array(
    z.object({
      name: z.string(),
      source: z.enum(VALIDATOR_SOURCES),
      merchants: z.array(z.string()).readonly(),
      /** Null where the operator's file sets it up. */
      validator: validatorSchema.nullable(),
      hasKey: z.boolean(),
      /** Coupons on offer of these merchants. */
      coupons: z.int(),
      /** Of all accounts with this provider, in the last seven days. */
      answered: z.int(),
      unanswered: z.int(),
      lastAnswerAt: instantSchema.nullable(),
      /** Why it is not asked. */
      problem: z.string().nullable(),
    }),
  ),
});
export type ValidatorList = z.output<typeof validatorsSchema>;

export const triedValidatorSchema = z.object({
  /** Null: the account did not answer. */
  isValid: z.boolean().nullable(),
  text: z.string(),
});
export type TriedValidator = z.output<typeof triedValidatorSchema>;
