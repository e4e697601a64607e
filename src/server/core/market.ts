import { setCompany } from '#contract/base/company.ts';
import { readCountryNames } from '#contract/base/country-names.ts';
import { speakByDefault } from '#contract/base/i18n.ts';
import { nameMarket, setTaglines } from '#contract/base/market.ts';
import { chargeIn } from '#contract/base/money.ts';
import { offerCountries } from '#contract/base/offered-countries.ts';
import { countryCalled } from './country-names.ts';
import { setMarketColors } from './market-colors.ts';
import type { Market } from './market-folder.ts';

/** Makes this process serve a market: what it is called and says of itself, its language, who runs it, its currency, colours and countries. Names of countries are read from then on. */
export function openMarket(market: Market): void {
  const { name, language, tagline, company, currency, palette, countries } = market;
  nameMarket(name);
  speakByDefault(language);
  setTaglines(tagline);
  setCompany(company);
  chargeIn(currency);
  setMarketColors(palette);
  offerCountries(countries);
  readCountryNames(countryCalled);
}
