/** One row of a feed under its own names, normalised by `nameKey`. */
export type FeedRecord = { readonly [key: string]: unknown };

/** A row from a parser, or why there is none. */
export type ParsedRow =
  | { readonly line: number; readonly record: FeedRecord }
  | { readonly line: number; readonly problem: string };

/** Deeper nesting is ignored. */
const MAX_DEPTH = 12;

/** One spelling for 'Promotion ID', 'promotion_id' and 'promotionId'. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The keys of a dotted path. */
export function pathKeys(path: string): readonly string[] {
  return path.split('.').map(nameKey);
}

export function isRecord(value: unknown): value is FeedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Normalises all names, down to the maximum depth. */
export function withNameKeys(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => withNameKeys(item, depth + 1));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [nameKey(name), withNameKeys(item, depth + 1)]);
  return Object.fromEntries(entries);
}

/** The value at a path, or undefined. A list on the path counts as its first item. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    const item: unknown = Array.isArray(found) ? found[0] : found;
    if (!isRecord(item) || !Object.hasOwn(item, key)) return undefined;
    found = item[key];
  }
  return found;
}

/** A value as text; a missing one is blank. The text of an XML element with attributes is under '#text'. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return isRecord(value) && Object.hasOwn(value, 'text') ? textOf(value.text) : '';
}

/** All texts at a path that are not blank, through each list on it. */
export function textsAt(value: unknown, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return [textOf(value)].filter((text) => text !== '');
  return isRecord(value) && Object.hasOwn(value, key) ? textsAt(value[key], rest) : [];
}

/** How to find the rows of a document: where a network has them, and what an offer looks like. */
export interface RowsPlace {
  readonly lists: readonly string[];
  isOffer(record: FeedRecord): boolean;
}

/**
 * The rows of a document: at the first of `lists` that exists, else its first list with an offer, else its only offer,
 * else its first list of records.
 */
export function findRows(document: unknown, { lists, isOffer }: RowsPlace): readonly unknown[] | null {
  if (Array.isArray(document)) return document;
  const paths = lists.map(pathKeys);
  for (const path of paths) {
    const found = listAt(document, path);
    if (found) return found;
  }
  // The page after the last one has a frame but no list.
  const isFramed = paths.some((path) => isRecord(recordAt(document, path.slice(0, -1))));
  const isRow = (value: unknown) => isRecord(value) && isOffer(value);
  return (
    firstOf(document, (value) => Array.isArray(value) && value.some(isRow)) ??
    firstOf(document, isRow) ??
    firstOf(document, (value) => Array.isArray(value) && value.some(isRecord)) ??
    (isFramed ? [] : null)
  );
}

function listAt(document: unknown, path: readonly string[]): readonly unknown[] | null {
  const found = recordAt(document, path);
  if (Array.isArray(found)) return found;
  // XML has no list for a single element, and an empty text for an empty list.
  if (isRecord(found)) return [found];
  return found === '' || found === null ? [] : null;
}

/** The value at a path through records only: the fields of a row are no list. */
function recordAt(document: unknown, path: readonly string[]): unknown {
  let found = document;
  for (const key of path) {
    if (!isRecord(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** The first value within records, the outer ones first, as a list. */
function firstOf(document: unknown, isWanted: (value: unknown) => boolean): readonly unknown[] | null {
  const waiting: unknown[] = [document];
  for (let index = 0; index < waiting.length && index < 1_000; index += 1) {
    const value = waiting[index];
    if (isWanted(value)) return Array.isArray(value) ? value : [value];
    if (isRecord(value)) waiting.push(...Object.values(value));
  }
  return null;
}
