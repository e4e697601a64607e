import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { type AccessRow, admins, all } from './access-people.ts';
import { SOURCE_INPUTS } from './source-inputs.ts';

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
  'sources.feeds': [admins],
  'sources.putFeed': [admins, () => SOURCE_INPUTS['sources.putFeed']],
  // Its address is not public; the answer says so.
  'sources.tryFeed': [admins, () => SOURCE_INPUTS['sources.tryFeed']],
  // There is none of this name.
  'sources.removeFeed': [{ ...admins, admin: 404 }, () => SOURCE_INPUTS['sources.removeFeed']],
  'sources.validators': [admins],
  // The operator allows codes to be sent nowhere.
  'sources.putValidator': [{ ...admins, admin: 400 }, () => SOURCE_INPUTS['sources.putValidator']],
  'sources.tryValidator': [{ ...admins, admin: 400 }, () => SOURCE_INPUTS['sources.tryValidator']],
  'sources.removeValidator': [{ ...admins, admin: 404 }, () => SOURCE_INPUTS['sources.removeValidator']],
  // There is none.
  'settings.undo': [{ ...admins, admin: 404 }, () => ({ id: 999 })],
};
