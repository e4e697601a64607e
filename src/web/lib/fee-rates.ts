import { DEFAULT_FEE_RATES, type FeeRates, feeRatesSchema } from '#contract/fees.ts';

/** The fees of this installation, as the server says in the page's head; an accepted bid has its own. */
export function feeRatesNow(): FeeRates {
  const content = document.querySelector<HTMLMetaElement>('meta[name="fee-rates"]')?.content;
  return content === undefined ? DEFAULT_FEE_RATES : feeRatesSchema.parse(JSON.parse(content));
}
