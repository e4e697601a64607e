import { nameMarket } from '#contract/market.ts';
import { chargeIn } from '#contract/money.ts';
import { offerCountries } from '#contract/offered-countries.ts';
import { setMarketColors } from './market-colors.ts';
import type { Market } from './market-folder.ts';

/** Makes this process serve a market: what it is called, its currency, its colours, and its countries. */
export function openMarket({ name, currency, palette, countries }: Market): void {
  nameMarket(name);
  chargeIn(currency);
  setMarketColors(palette);
  offerCountries(countries);
}
