import { createHash } from 'node:crypto';

/** The name of a statement; undefined: it is planned each time. */
export type NameOf = (text: string) => string | undefined;

/** Each connection keeps a plan for each name. */
const MOST_NAMES = 200;

const ABOUT_ROWS = /^(select|with|insert|update|delete)\b/i;

/**
 * What a plan for all values serves badly: LIKE, ranges and names of merchants, whose rows depend on the value; LIMIT, of
 * which the planner knows nothing then; and lists of values or rows, which have as many texts as lengths.
 */
const DEPENDS_ON_VALUES =
  /\blike\b|merchant_text = any|\bbetween \$\d|[<>]=? *\(?(cast\()?\$\d|\b(limit|offset) \$\d|\bin \(\$\d|\), \(\$\d/i;

/** Nearly all listed coupons meet it, whatever the time. */
const LIVE = /coalesce\(expires_at, 'infinity'::timestamptz\) >= \$\d+/g;

/** One value, written so that the index that it leads gives the order, too. */
const ONE_CATEGORY = /coupons\.category between \$\d+ and \$\d+/g;

/**
 * Names statements for which the planning is most of the work: reads and writes by ids and other equal keys, and the
 * first pages of lists. Named statements are planned once for each connection. SQL that begins with a line break has no
 * name: the searches are written so.
 */
export function createStatementNames(most: number = MOST_NAMES): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= most || !ABOUT_ROWS.test(text)) return undefined;
    if (DEPENDS_ON_VALUES.test(text.replace(LIVE, '').replace(ONE_CATEGORY, ''))) return undefined;
    const name = hashed('kept', text);
    names.set(text, name);
    return name;
  };
}

/** How many values a named statement may have in a list. */
const LONGEST_LIST = 100;

/**
 * Whether a value is a long list. A plan for all values expects ten in a list. It may be from when the table was empty:
 * then it reads all rows for ever more, and compares each with every value.
 */
export function hasLongList(values: readonly unknown[]): boolean {
  return values.some((value) => Array.isArray(value) && value.length > LONGEST_LIST);
}

/** Names every statement about rows: for work that repeats the same few hundred over one connection, and then ends. */
export function nameOfAny(text: string): string | undefined {
  return ABOUT_ROWS.test(text) ? hashed('any', text) : undefined;
}

function hashed(kind: string, text: string): string {
  return `${kind}-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
