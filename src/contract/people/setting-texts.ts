import { t } from '@lingui/core/macro';
import { language } from '#contract/base/i18n.ts';
import { listed, percentText, utcDayAndTime } from '#contract/base/locale.ts';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { eachRateText } from '#contract/money/fees.ts';
import { type OwnText, SETTINGS, type SettingName, type SettingValues } from './settings.ts';

/** What a setting is called. */
export function settingName(name: SettingName): string {
  switch (name) {
    case 'announcement':
      return t`Announcement`;
    case 'maintenance':
      return t`Maintenance`;
    case 'feeRates':
      return t`Fees`;
    case 'guarantee':
      return t`Guarantee`;
    case 'ringPeopleMax':
      return t`Rings`;
    case 'claimDays':
      return t`Claims`;
    case 'depositFromNewcomers':
      return t`Deposits`;
    case 'marketDay':
      return t`Market day`;
    case 'limits':
      return t`Limits`;
    case 'feeds':
      return t`Feeds`;
    case 'validators':
      return t`Validators`;
  }
}

/** A value of a setting in words. A stored one that this release does not take is shown as it is stored. */
export function settingText(name: SettingName, value: unknown): string {
  const { success, data } = SETTINGS[name].safeParse(value);
  return success ? WORDS[name](data as never) : JSON.stringify(value);
}

const WORDS: { readonly [Name in SettingName]: (value: SettingValues[Name]) => string } = {
  announcement(value) {
    if (value === null) return t({ context: 'announcement', message: 'None' });
    const text = inLanguageOf(value.text);
    const said = value.kind === 'problem' ? t`Problem: ${text}` : t`News: ${text}`;
    return withEnd(said, value.until);
  },
  maintenance: (value) =>
    value === null
      ? t({ context: 'maintenance', message: 'Off' })
      : withEnd(t`On: ${inLanguageOf(value.text)}`, value.until),
  feeRates: eachRateText,
  guarantee({ days, reservePercent }) {
    const part = percentText(reservePercent * 100);
    return days === 0
      ? t`No claims after the 72 hours`
      : t`${days} days after the 72 hours, with ${part} of the fees for the reserve`;
  },
  feeds: (feeds) => sourcesText(feeds.map(({ url, ...feed }) => ({ ...feed, about: withoutQuery(url) }))),
  validators: (validators) =>
    sourcesText(
      validators.map((validator) => ({
        ...validator,
        about: `${validator.baseUrl}: ${listed(validator.merchants)}`,
      })),
    ),
  ringPeopleMax: (people) =>
    people === 2 ? t`Swaps between two people only` : t`Rings of up to ${people} people`,
  claimDays: (days) => t`Decided within ${days} days`,
  depositFromNewcomers: (cents) =>
    cents === 0 ? t`None by default` : t`${formatMoney(cents, baseCurrency())} with newcomers by default`,
  marketDay: ({ isOn, hour, timeZone }) =>
    isOn ? t`Each day at ${hour}:00, ${timeZone}` : t({ context: 'market day', message: 'Off' }),
  limits: ({ bids, proposals, listings, listingsOfNewAccount, keyReads, keyWrites }) =>
    t`${bids} bids and ${proposals} proposals an hour; ${listings} listings a day, ${listingsOfNewAccount} in an account’s first week; a key reads ${keyReads} and changes ${keyWrites} times a minute`,
};

function withEnd(text: string, until: string | null): string {
  if (until === null) return text;
  const [day, time] = utcDayAndTime(until);
  return t`${text} (until ${day}, ${time} UTC)`;
}

/** The operator's text in the reader's language, or else in English. */
export function inLanguageOf(text: OwnText): string {
  return text[language()] ?? text.en;
}

interface SourceText {
  readonly name: string;
  readonly about: string;
  readonly isPaused: boolean;
}

/** Longer texts are cut: a line of the activity log has room for two. */
const SOURCES_TEXT_MAX = 900;

function sourcesText(sources: readonly SourceText[]): string {
  if (sources.length === 0) return t({ context: 'feeds or validators', message: 'None' });
  const each = sources.map(({ name, about, isPaused }) =>
    isPaused ? t`${name} (${about}, paused)` : `${name} (${about})`,
  );
  const text = listed(each);
  return text.length > SOURCES_TEXT_MAX ? `${text.slice(0, SOURCES_TEXT_MAX)}…` : text;
}

function withoutQuery(url: string): string {
  return url.split('?')[0] ?? url;
}
