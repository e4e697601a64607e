import { pageSetting } from '#contract/base/page-setting.ts';
import { DEFAULT_FEE_RATES, type FeeRates, feeRatesSchema } from '#contract/money/fees.ts';

/** The fees of this installation, as the server says in the page's head; an accepted bid has its own. */
export function feeRatesNow(): FeeRates {
  const content = pageSetting('fee-rates');
  return content === undefined ? DEFAULT_FEE_RATES : feeRatesSchema.parse(JSON.parse(content));
}
