import { COUNTRY_CODES, countryName } from '#contract/countries.ts';
import { locale } from '#contract/i18n.ts';

/** All countries by name, for choices. */
export const COUNTRY_CHOICES = COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).sort(
  (one, other) => one.label.localeCompare(other.label, locale()),
);
