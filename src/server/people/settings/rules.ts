import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingSource,
  type SettingValues,
  settingValuesSchema,
} from '#contract/people/settings.ts';

/** The variables of the environment that make each setting. */
const VARIABLES: Readonly<Record<SettingName, readonly string[]>> = {
  announcement: [],
  maintenance: [],
  feeRates: [
    'BUYER_FEE_PERCENT',
    'BUYER_FEE_MINIMUM_CENTS',
    'SELLER_FEE_PERCENT',
    'SELLER_FEE_MINIMUM_CENTS',
  ],
  guarantee: ['GUARANTEE_DAYS', 'GUARANTEE_RESERVE_PERCENT'],
  ringPeopleMax: ['RING_PEOPLE_MAX'],
  claimDays: ['CLAIM_DAYS'],
  depositFromNewcomers: ['DEPOSIT_FROM_NEWCOMERS_CENTS'],
  marketDay: ['MARKET_DAY_HOUR', 'MARKET_TIME_ZONE'],
  limits: [],
  feeds: ['FEEDS_FILE'],
  validators: ['VALIDATORS_FILE'],
};

/** What holds without changes of admins, and which variables were set where. */
export interface StartSettings extends SettingValues {
  readonly setIn: Readonly<Record<'environment' | 'folder', readonly string[]>>;
}

/** The newest change of a setting, as it is stored. A value of null takes the setting back to the start. */
export interface StoredChange {
  readonly name: string;
  readonly value: unknown;
}

/** What a setting is now, and why. */
interface Judged {
  readonly value: unknown;
  readonly source: SettingSource;
  /** The variables of the environment that decide it. */
  readonly variables: readonly string[];
  /** Whether a stored value is none that this release takes. */
  readonly isUnusable: boolean;
}

/**
 * Judges one setting: the environment comes first, then what an admin has set, then the folder of the market, then the
 * default. A stored value that is not valid does not count.
 */
export function judge(start: StartSettings, name: SettingName, change: StoredChange | undefined): Judged {
  const setBy = (place: 'environment' | 'folder') =>
    VARIABLES[name].filter((variable) => start.setIn[place].includes(variable));
  const variables = setBy('environment');
  const stored =
    change === undefined || change.value === null ? null : SETTINGS[name].safeParse(change.value);
  const isUnusable = stored?.success === false;
  const base = { value: start[name], variables, isUnusable };
  if (variables.length > 0) return { ...base, source: 'environment' };
  if (stored?.success) return { ...base, value: stored.data, source: 'browser' };
  return { ...base, source: setBy('folder').length > 0 ? 'folder' : 'default' };
}

/** What holds with the newest change of each name. Names that this release does not know have no effect. */
export function valuesWith(start: StartSettings, changes: readonly StoredChange[]): SettingValues {
  const values = SETTING_NAMES.map((name) => {
    const change = changes.find((each) => each.name === name);
    return [name, judge(start, name, change).value];
  });
  return settingValuesSchema.parse(Object.fromEntries(values));
}

/** The names of stored settings that do not count: not known to this release, or with a value that is not valid. */
export function unusableNames(start: StartSettings, changes: readonly StoredChange[]): string[] {
  return changes
    .filter(({ name, value }) => value !== null && !isUsable(start, name, value))
    .map(({ name }) => name);
}

function isUsable(start: StartSettings, name: string, value: unknown): boolean {
  const known = SETTING_NAMES.find((each) => each === name);
  return known !== undefined && !judge(start, known, { name, value }).isUnusable;
}
