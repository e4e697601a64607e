import { z } from 'zod';
import { feeRatesSchema } from './fees.ts';
import { idSchema, instantSchema } from './primitives.ts';

/** What an admin can change while the market runs, and what each setting may be. Its names are those of `Config`. */
export const SETTINGS = {
  /** For bids that are accepted from then on. */
  feeRates: feeRatesSchema,
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
const settingSourceSchema = z.enum(['environment', 'browser', 'folder', 'default']);
export type SettingSource = z.output<typeof settingSourceSchema>;

/** Who has changed a setting last; `by` is null for the operator on the command line. */
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

/** All settings by name. */
export const settingsSchema = z.object({ feeRates: stateOf(SETTINGS.feeRates) });
export type Settings = z.output<typeof settingsSchema>;
export type SettingState = Settings[SettingName];

const changeOf = <Name extends SettingName>(name: Name) =>
  z.object({
    name: z.literal(name),
    /** Null: back to what holds without a change. */
    value: SETTINGS[name].nullable(),
    /** The latest change that the admin has seen, as `change.id` names it: after another one the call answers 409. */
    follows: idSchema.nullable(),
  });

export const changeSettingInputSchema = z.discriminatedUnion('name', [changeOf('feeRates')]);
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
