import { z } from 'zod';
import type { Language } from '#contract/base/i18n.ts';
import { LIMITS } from '#contract/base/limits.ts';
import { idSchema, instantSchema, lineSchema, timeZoneSchema } from '#contract/base/primitives.ts';
import { RING_PEOPLE } from '#contract/deals/deals.ts';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { newcomerDepositSchema } from '#contract/money/deposits.ts';
import { feeRatesSchema } from '#contract/money/fees.ts';
import { GUARANTEE_DAYS } from '#contract/money/guarantee.ts';
import { ownFeedsSchema, ownValidatorsSchema } from '#contract/oversight/sources.ts';
import { API_KEY_READS_A_MINUTE, API_KEY_WRITES_A_MINUTE } from './program-limits.ts';

/** The longest announcement: what a phone shows in a few lines. */
export const ANNOUNCEMENT_MAX = 300;

/** A text of the operator's, in English at least. */
const ownTextSchema = z.object({
  en: lineSchema(ANNOUNCEMENT_MAX, 1),
  fr: lineSchema(ANNOUNCEMENT_MAX, 1).optional(),
} satisfies Record<Language, z.ZodType>);
export type OwnText = z.output<typeof ownTextSchema>;

export const ANNOUNCEMENT_KINDS = ['news', 'problem'] as const;

const announcementSchema = z.object({
  /** By it, a device remembers that it was dismissed. */
  id: z.uuid(),
  kind: z.enum(ANNOUNCEMENT_KINDS),
  text: ownTextSchema,
  /** When it ends by itself; null: when an admin takes it down. */
  until: instantSchema.nullable(),
});

/** While the market can only be read. */
const maintenanceSchema = z.object({
  text: ownTextSchema,
  /** When it is expected to be over; null: nobody knows. It ends when an admin switches it off. */
  until: instantSchema.nullable(),
});

const often = (max: number) => z.int().min(5).max(max);

/** How often a person, or a key, may do something. */
const ownLimitsSchema = z.object({
  /** An hour. */
  bids: often(1_000),
  /** Proposed and revised exchanges, an hour. */
  proposals: often(1_000),
  /** A day. */
  listings: often(10_000),
  /** A day, of accounts in their first week. */
  listingsOfNewAccount: often(10_000),
  /** A minute. */
  keyReads: often(10_000),
  /** A minute. */
  keyWrites: often(10_000),
});
export type OwnLimits = z.output<typeof ownLimitsSchema>;

export const DEFAULT_LIMITS: OwnLimits = {
  bids: LIMITS.bids.points,
  proposals: LIMITS.proposals.points,
  listings: LIMITS.listings.points,
  listingsOfNewAccount: LIMITS.listingsOfNewAccount.points,
  keyReads: API_KEY_READS_A_MINUTE,
  keyWrites: API_KEY_WRITES_A_MINUTE,
};

/** What an admin can change while the market runs, and what each setting may be. Its names are those of `Config`. */
export const SETTINGS = {
  /** Null: there is none. */
  announcement: announcementSchema.nullable(),
  /** Null: it is off. */
  maintenance: maintenanceSchema.nullable(),
  /** For bids that are accepted from then on. */
  feeRates: feeRatesSchema,
  /** For payments that are begun from then on. */
  guarantee: z.object({ days: z.literal(GUARANTEE_DAYS), reservePercent: z.int().min(0).max(100) }),
  /** The largest ring that the finder looks for; 2: swaps alone. */
  ringPeopleMax: z.int().min(2).max(RING_PEOPLE.max),
  /** In how many days moderators have to decide a claim. */
  claimDays: z.int().min(CLAIM_DAYS.min).max(CLAIM_DAYS.max),
  /** The deposit that swaps and rings with newcomers ask for by default, in cents; 0: none. */
  depositFromNewcomers: newcomerDepositSchema,
  /** When market day is, and whether there is one. */
  marketDay: z.object({ isOn: z.boolean(), hour: z.int().min(0).max(23), timeZone: timeZoneSchema }),
  limits: ownLimitsSchema,
  /** Calls of their own change the next two: they have keys. */
  feeds: ownFeedsSchema,
  validators: ownValidatorsSchema,
} as const;

export const settingValuesSchema = z.object(SETTINGS);
export type SettingValues = z.output<typeof settingValuesSchema>;
export type SettingName = keyof SettingValues;

const settingNameSchema = settingValuesSchema.keyof();
export const SETTING_NAMES = settingNameSchema.options;

/**
 * Where a value comes from. The environment of the server comes before what an admin has changed, then come the folder of
 * the market and the default.
 */
const settingSourceSchema = z
  .enum(['environment', 'browser', 'folder', 'default'])
  .meta({ id: 'SettingSource' });
export type SettingSource = z.output<typeof settingSourceSchema>;

/** Who has changed a setting; `by` is null for the operator on the command line. */
const settingChangeSchema = z.object({ id: idSchema, by: z.string().nullable(), at: instantSchema });

const stateOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value,
    source: settingSourceSchema,
    /** The variables of the environment that decide it; with one of them it cannot be changed here. */
    variables: z.array(z.string()).readonly(),
    /** The latest change; null: there was none. */
    change: settingChangeSchema.nullable(),
    /** Whether the latest change set what this release does not take: it does not count. */
    isUnusable: z.boolean(),
  });

/** The settings by name, without those that have calls of their own, in the order in which they are shown. */
export const settingsSchema = z.object({
  announcement: stateOf(SETTINGS.announcement),
  maintenance: stateOf(SETTINGS.maintenance),
  feeRates: stateOf(SETTINGS.feeRates),
  guarantee: stateOf(SETTINGS.guarantee),
  ringPeopleMax: stateOf(SETTINGS.ringPeopleMax),
  claimDays: stateOf(SETTINGS.claimDays),
  depositFromNewcomers: stateOf(SETTINGS.depositFromNewcomers),
  marketDay: stateOf(SETTINGS.marketDay),
  limits: stateOf(SETTINGS.limits),
});
export type Settings = z.output<typeof settingsSchema>;
export type ShownSetting = keyof Settings;
export const SHOWN_SETTINGS = settingsSchema.keyof().options;
export type SettingState = Settings[ShownSetting];

const changeOf = <Name extends SettingName, Value extends z.ZodType>(name: Name, value: Value) =>
  z.object({
    name: z.literal(name),
    /** Null: back to what holds without a change. */
    value: value.nullable(),
    /** The latest change that the admin has seen, as `change.id` names it: after another one the call answers 409. */
    follows: idSchema.nullable(),
  });

export const changeSettingInputSchema = z.discriminatedUnion('name', [
  changeOf('announcement', SETTINGS.announcement),
  changeOf('maintenance', SETTINGS.maintenance),
  changeOf('feeRates', SETTINGS.feeRates),
  changeOf('guarantee', SETTINGS.guarantee),
  changeOf('ringPeopleMax', SETTINGS.ringPeopleMax),
  changeOf('claimDays', SETTINGS.claimDays),
  changeOf('depositFromNewcomers', SETTINGS.depositFromNewcomers),
  changeOf('marketDay', SETTINGS.marketDay),
  changeOf('limits', SETTINGS.limits),
]);
export type ChangeSettingInput = z.output<typeof changeSettingInputSchema>;

export const settingHistoryInputSchema = z.object({ name: settingNameSchema });

/** The latest changes that a history shows. */
export const SETTING_HISTORY_MAX = 50;

export const settingHistorySchema = z.array(
  settingChangeSchema.extend({
    /** What it was set to, in words; null: back to what holds without a change. */
    text: z.string().nullable(),
    /** The change that it took back; null: it is none of these. */
    undoes: idSchema.nullable(),
  }),
);
export type SettingHistory = z.output<typeof settingHistorySchema>;

/** What every page says above everything else, in the caller's language where there is a text in it. */
export const marketNewsSchema = z.object({
  announcement: z
    .object({ ...announcementSchema.shape, text: z.string() })
    .nullable()
    .describe('What the operator tells everybody; null: nothing'),
  maintenance: z
    .object({ ...maintenanceSchema.shape, text: z.string() })
    .nullable()
    .describe('While it is not null, every call that would change something answers 503'),
});
marketNewsSchema.register(z.globalRegistry, { id: 'MarketNews' });
export type MarketNews = z.output<typeof marketNewsSchema>;
