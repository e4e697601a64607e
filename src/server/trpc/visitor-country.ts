import type { FastifyRequest } from 'fastify';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { COUNTRY_COOKIE } from '#contract/base/visitor-country.ts';
import type { Config } from '#server/core/config.ts';

/** More languages than people list. */
const LANGUAGES_READ = 10;

/**
 * The country of somebody without an account, in ISO 3166-1 alpha-2: the one they have chosen, else what the proxy says
 * where the setting names its header, else that of their language ('de-AT'); null if none tells.
 */
export function visitorCountryOf(
  { cookies, headers }: FastifyRequest,
  { countryHeader }: Pick<Config, 'countryHeader'>,
): string | null {
  const stated = countryHeader ? headers[countryHeader.toLowerCase()] : undefined;
  const languages = (headers['accept-language'] ?? '').split(',', LANGUAGES_READ);
  const regions = languages.map(
    (language) => /^\s*[a-z]{2,3}-(?:[a-z]{4}-)?([a-z]{2})\b/i.exec(language)?.[1],
  );
  for (const code of [cookies[COUNTRY_COOKIE], stated, ...regions]) {
    const known = typeof code === 'string' && code.toUpperCase();
    if (known && COUNTRY_CODES.includes(known)) return known;
  }
  return null;
}

/** The headers that decide about it and about the language, besides the cookies. */
export function countryHeaders({ countryHeader }: Pick<Config, 'countryHeader'>): string[] {
  return ['Accept-Language', ...(countryHeader ? [countryHeader] : [])];
}
