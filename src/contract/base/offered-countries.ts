import { COUNTRY_CODES } from './countries.ts';
import { pageSetting } from './page-setting.ts';

/** In a browser, the page says which they are. */
let offered: readonly string[] | undefined = pageSetting('countries')?.split(' ');

/** The countries that people choose from. */
export const offeredCountries = (): readonly string[] => offered ?? COUNTRY_CODES;

/** The country of people of whom nobody knows it. */
export const defaultCountry = (): string => offered?.[0] ?? 'CA';

/** Says which countries people of this market choose from; null: all. A server does it once, at start. */
export function offerCountries(codes: readonly string[] | null): void {
  offered = codes ?? undefined;
}
