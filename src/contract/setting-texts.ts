import { t } from '@lingui/core/macro';
import { eachRateText } from './fees.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** What a setting is called. */
export function settingName(name: SettingName): string {
  switch (name) {
    case 'feeRates':
      return t`Fees`;
  }
}

/** A value of a setting in words. A stored one that this release does not take is shown as it is stored. */
export function settingText(name: SettingName, value: unknown): string {
  switch (name) {
    case 'feeRates': {
      const { data } = SETTINGS.feeRates.safeParse(value);
      return data ? eachRateText(data) : JSON.stringify(value);
    }
  }
}
