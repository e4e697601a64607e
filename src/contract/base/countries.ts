import { perLocale } from './i18n.ts';

/** By the first letter, with all second ones: 'ZAMW' for ZA, ZM and ZW. Every page loads them. */
const CODES = `
  ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR
  GABDEFGHILMNPQRSTUWY HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ
  NACEFGILOPRUZ OM PAEFGHKLMNRSTWY QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ VACEGINU
  WFS YET ZAMW
`;

/** The countries and territories of ISO 3166-1, by their alpha-2 codes, which are stored and sent everywhere. */
export const COUNTRY_CODES: readonly string[] = CODES.trim()
  .split(/\s+/)
  .flatMap(([first, ...seconds]) => seconds.map((second) => `${first}${second}`));

const names = perLocale((locale) => new Intl.DisplayNames(locale, { type: 'region' }));

/** The name of a country for people: 'Canada' for CA. */
export function countryName(code: string): string {
  return names().of(code) ?? code;
}
