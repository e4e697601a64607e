/** The cookie with the country that a visitor has chosen, in ISO 3166-1 alpha-2. */
export const COUNTRY_COOKIE = 'clipswap-country';
