import { countryName } from '#contract/countries.ts';
import { locale } from '#contract/i18n.ts';
import { offeredCountries } from '#contract/offered-countries.ts';

/** The countries of this market by name, for choices. */
export const COUNTRY_CHOICES = offeredCountries()
  .map((value) => ({ value, label: countryName(value) }))
  .sort((one, other) => one.label.localeCompare(other.label, locale()));
