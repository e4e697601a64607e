import { COUNTRY_CODES } from '#contract/base/countries.ts';

/**
 * English names besides those of `Intl`: the short names of ISO 3166-1 where they are others, and what people write. The
 * order of the words does not count, nor do "the", "of" and "and".
 */
const OTHER_NAMES = `
  BA Bosnia; BN Brunei Darussalam; BO Plurinational State of Bolivia; BQ Bonaire, Sint Eustatius and Saba; CD Democratic Republic
  of the Congo; CD DR Congo; CG Congo; CG Republic of the Congo; CI Ivory Coast; CV Cabo Verde; CZ Czech Republic; FK Falkland Islands
  (Malvinas); FM Federated States of Micronesia; GB Great Britain; GB UK; GB United Kingdom of Great Britain and Northern Ireland;
  HK Hong Kong; HM Heard Island and McDonald Islands; IR Islamic Republic of Iran; KP Democratic People's Republic of Korea;
  KR Korea; KR Republic of Korea; LA Lao People's Democratic Republic; MD Republic of Moldova; MF Saint Martin (French part); MM Burma;
  MM Myanmar; MO Macao; MO Macau; NL Kingdom of the Netherlands; PN Pitcairn; PS Palestine; PS State of Palestine; RU Russian
  Federation; SH Saint Helena, Ascension and Tristan da Cunha; SX Sint Maarten (Dutch part); SY Syrian Arab Republic; TL East
  Timor; TR Turkey; TR Türkiye; TW Taiwan, Province of China; TZ United Republic of Tanzania; UM United States Minor Outlying Islands;
  US USA; US United States of America; VA Holy See; VE Bolivarian Republic of Venezuela; VI Virgin Islands of the United States;
  VN Viet Nam
`;

/** One form for all spellings of a name: its words without case, accents and signs, in one order. */
function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}.'’]/gu, '')
    .toLowerCase()
    .replace(/\bsaint\b/g, 'st')
    .split(/[^\p{L}]+/u)
    .filter((word) => !['', 'the', 'of', 'and'].includes(word))
    .sort()
    .join(' ');
}

let byName: Map<string, string> | undefined;

function codesByName(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const others = OTHER_NAMES.split(';').map((line) => line.trim());
  return new Map([
    ...others.map((line): [string, string] => [fold(line.slice(3)), line.slice(0, 2)]),
    ...COUNTRY_CODES.flatMap((code): [string, string][] => [
      [fold(names.of(code) ?? code), code],
      [fold(code), code],
    ]),
  ]);
}

/** The code of ISO 3166-1 of the country with this English name, or with this code in any case. */
export function countryCalled(name: string): string | undefined {
  byName ??= codesByName();
  return byName.get(fold(name));
}
