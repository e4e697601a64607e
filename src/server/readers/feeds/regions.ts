import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { countryCalled } from '#server/core/country-names.ts';
import { isRecord } from './record.ts';

/** The languages in which feeds name countries, besides English. */
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da'];

/** What feeds write for one country besides its names. */
const OTHER_NAMES: Record<string, string> = { england: 'GB', el: 'GR', holland: 'NL' };

const EUROPEAN_UNION =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

let byName: Map<string, string> | null = null;

/** The codes of all countries by their names in lower case, without the English ones. */
function namesOfCountries(): Map<string, string> {
  if (byName) return byName;
  byName = new Map(Object.entries(OTHER_NAMES));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of COUNTRY_CODES) {
      const name = (names.of(code) ?? code).toLowerCase();
      byName.set(name, code).set(name.replace('&', 'and'), code);
    }
  }
  return byName;
}

const codeOf = (name: string) => namesOfCountries().get(name) ?? countryCalled(name);

/**
 * The countries that a feed's field names, by code or name, in a text or a list: ISO 3166-1 alpha-2, sorted. Empty for
 * "all", for nothing, and for words that name no country.
 */
export function readRegions(value: unknown): string[] {
  // As in Awin's API: { all: true, list: [] }.
  if (isRecord(value) && value.all === true) return [];
  const found = new Set<string>();
  for (const name of namesIn(value)) {
    if (name === 'eu' || name === 'european union') for (const code of EUROPEAN_UNION) found.add(code);
    const code = codeOf(name);
    if (code) found.add(code);
  }
  return [...found].sort();
}

/** The names in a field, in lower case. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (isRecord(value))
    return namesIn(value.countrycode ?? value.code ?? value.list ?? value.text ?? value.name);
  if (typeof value !== 'string') return [];
  // A name may contain a comma or a slash: the whole text comes first.
  const whole = value.trim().toLowerCase();
  if (codeOf(whole)) return [whole];
  return whole.split(/[,;|/]/).flatMap((part) => {
    const name = part.trim();
    // Codes may be separated by spaces.
    return /^[a-z]{2}(?:\s+[a-z]{2})+$/.test(name) ? name.split(/\s+/) : [name];
  });
}
