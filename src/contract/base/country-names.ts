import { COUNTRY_CODES } from './countries.ts';

/** Forms have codes, so a browser reads no names. */
let codeOfName: (name: string) => string | undefined = () => undefined;

/** The code of a country, of which a server also takes the English name. */
export function countryCode(given: string): string | undefined {
  return COUNTRY_CODES.includes(given) ? given : codeOfName(given);
}

/** Says who finds the codes of names. A server does it once, at start. */
export function readCountryNames(read: (name: string) => string | undefined): void {
  codeOfName = read;
}
