/** The largest value of PostgreSQL's `integer`, the type of all ids. */
export const MAX_ID = 2_147_483_647;

/** Length in characters of a search term. */
export const SEARCH_MAX = 100;

/** Length in characters of the name of a time zone. */
export const TIME_ZONE_MAX = 64;

/** Lists count at most this many rows; screens then show "200+". */
export const COUNT_CAP = 200;
/** Where more match a search, its heading counts on, up to this many. */
export const SEARCH_COUNT_CAP = 1_000;

/** The last page that can be asked for by its number; cursors lead further. */
export const PAGE_MAX = 10_000;

/** A cursor: a JSON array of texts and numbers in base64url, whose first text names the list. */
export const CURSOR = /^Wy[I-L][\w-]+$/;
export const CURSOR_MAX = 600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose; PostgreSQL text refuses U+0000
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/** Whether PostgreSQL takes the text: it has no control characters and no lone surrogates. */
export function isStorable(text: string): boolean {
  return !FORBIDDEN_CHARACTERS.test(text);
}

/** Ratings that people give each other. */
export const RATING_MIN = 1;
export const RATING_MAX = 10;
