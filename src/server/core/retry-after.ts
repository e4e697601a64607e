/** Nobody makes us wait longer than this, in seconds. */
const WAIT_AT_MOST = 24 * 3_600;

/** A date of HTTP (RFC 9110 section 5.6.7), in the two forms that name their time zone. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;

/**
 * Reads the header `Retry-After` of another service.
 * @param text its value, in seconds or as a date; null where there is none
 * @param now in milliseconds
 * @param atMost the longest wait, in seconds
 * @returns whole seconds from now, at most `atMost`; null where the text says no time
 */
export function readRetryAfter(
  text: string | null | undefined,
  now: number,
  atMost = WAIT_AT_MOST,
): number | null {
  const given = text?.trim() ?? '';
  if (/^\d+$/.test(given)) return Math.min(Number(given), atMost);
  if (!HTTP_DATE.test(given)) return null;
  const seconds = Math.ceil((Date.parse(given) - now) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), atMost);
}
