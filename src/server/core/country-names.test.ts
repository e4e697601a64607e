import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { countryCalled } from './country-names.ts';

describe('the English name of a country', () => {
  it('gives its code for all that Intl knows, and each code gives itself', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    expect(COUNTRY_CODES.map((code) => countryCalled(names.of(code) ?? ''))).toEqual(COUNTRY_CODES);
    expect(COUNTRY_CODES.map((code) => countryCalled(code.toLowerCase()))).toEqual(COUNTRY_CODES);
  });

  it.each([
    ['Canada', 'CA'],
    ['  canada ', 'CA'],
    ["COTE D'IVOIRE", 'CI'],
    ['Ivory Coast', 'CI'],
    ['UK', 'GB'],
    ['U.S.A.', 'US'],
    ['The United States of America', 'US'],
    ['Korea, Republic of', 'KR'],
    ["Korea (Democratic People's Republic of)", 'KP'],
    ['Congo', 'CG'],
    ['Congo (the Democratic Republic of the)', 'CD'],
    ['Tanzania, the United Republic of', 'TZ'],
    ['Virgin Islands (U.S.)', 'VI'],
    ['Saint Martin (French part)', 'MF'],
    ['Trinidad and Tobago', 'TT'],
    ['Turkey', 'TR'],
    ['Viet Nam', 'VN'],
  ])('%s is %s', (name, code) => {
    expect(countryCalled(name)).toBe(code);
  });

  it.each(['', 'Atlantis', 'Republic', 'Canada Canada', 'CAN', 'Kanada'])('“%s” is none', (name) => {
    expect(countryCalled(name)).toBeUndefined();
  });
});
