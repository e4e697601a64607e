import { DEFAULT_FEE_RATES } from '#contract/fees.ts';
import { type AccessRow, admins, all } from './access-people.ts';

/** What operators look after. */
export const OF_OPERATORS: Record<string, AccessRow> = {
  'admin.health': [admins],
  'operations.checks': [admins, () => ({ sendsMail: false })],
  // No search engine is set up here; the answer says so.
  'admin.submitSitemap': [admins],

  'settings.announcement': [all(200)],
  'settings.list': [admins],
  'settings.history': [admins, () => ({ name: 'feeRates' })],
  'settings.change': [admins, () => ({ name: 'feeRates', value: DEFAULT_FEE_RATES, follows: null })],
  // There is none.
  'settings.undo': [{ ...admins, admin: 404 }, () => ({ id: 999 })],
};
