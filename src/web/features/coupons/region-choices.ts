import { COUNTRY_CODES } from '#contract/countries.ts';
import { regionName } from '#web/lib/format.ts';

/** All countries by name, for choices. */
export const REGION_CHOICES = COUNTRY_CODES.map((value) => ({ value, label: regionName(value) })).sort(
  (one, other) => one.label.localeCompare(other.label, 'en'),
);
