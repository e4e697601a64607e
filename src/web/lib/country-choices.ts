import { countryName } from '#contract/base/countries.ts';
import { locale } from '#contract/base/i18n.ts';
import { offeredCountries } from '#contract/base/offered-countries.ts';

/** The countries of this market by name, for choices. */
export const COUNTRY_CHOICES = offeredCountries()
  .map((value) => ({ value, label: countryName(value) }))
  .sort((one, other) => one.label.localeCompare(other.label, locale()));
