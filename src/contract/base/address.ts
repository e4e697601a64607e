import { CURSOR, CURSOR_MAX, isStorable, MAX_ID, PAGE_MAX, SEARCH_MAX } from './bounds.ts';
import type { PageRef } from './primitives.ts';

/** One value in the query of an address. */
export interface Param<T> {
  /** The default: it is left out of the address, and used where the text is invalid. */
  readonly usual: T;
  /** Parses a text; undefined where it is invalid. */
  readonly read: (text: string) => T | undefined;
  readonly write: (value: T) => string;
  /** The name in the address, where it differs from the name in the code. */
  readonly key?: string;
  /** Whether a change keeps the page number: it opens something and filters nothing. */
  readonly keepsPage?: boolean;
}

type Params<Values> = { readonly [Name in keyof Values]: Param<Values[Name]> };

/** The state that a page keeps in its address, so that Back, reload and copied links restore it. */
export interface Address<Values> {
  /** Invalid values count as missing. */
  readonly read: (query: URLSearchParams) => Values;
  /** The query after a change. Filters go back to the first page; unknown parameters stay. */
  readonly change: (query: URLSearchParams, change: Partial<Values>) => URLSearchParams;
}

export function defineAddress<Values extends object>(params: Params<Values>): Address<Values> {
  const names = Object.keys(params) as (keyof Values & string)[];
  const valueIn = (query: URLSearchParams, name: keyof Values & string) => {
    const { key = name, read, usual } = params[name];
    const text = query.get(key);
    return (text === null ? undefined : read(text)) ?? usual;
  };
  return {
    read: (query) => Object.fromEntries(names.map((name) => [name, valueIn(query, name)])) as Values,
    change(query, change) {
      const next = new URLSearchParams(query);
      for (const name of names) {
        if (!(name in change)) continue;
        const { key = name, write, usual, keepsPage } = params[name];
        const value = change[name] ?? usual;
        const text = value === usual ? '' : write(value);
        if (text === '') next.delete(key);
        else next.set(key, text);
        if (!keepsPage && !('page' in change)) next.delete('page');
      }
      return next;
    },
  };
}

/** One of a few values; the first one is the default unless `usual` is given. */
export function oneOf<T extends string | number | null>(
  values: readonly T[],
  usual = values[0] as T,
): Param<T> {
  return { usual, read: (text) => values.find((value) => String(value) === text), write: String };
}

/** A search text of at most `max` characters; a longer one is invalid. */
export function searchText(max = SEARCH_MAX): Param<string> {
  const read = (text: string) => {
    const term = text.trim();
    return term.length <= max && isStorable(term) ? term : undefined;
  };
  return { usual: '', read, write: (text) => text.trim() };
}

/** A whole number from 1 to `max`. */
function countIn(text: string, max: number): number | undefined {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : undefined;
}

/** A page of a list. The list itself says where there is no such page. */
export const pageRef: Param<PageRef> = {
  usual: 1,
  read: (text) => (text.length <= CURSOR_MAX && CURSOR.test(text) ? text : countIn(text, PAGE_MAX)),
  write: String,
};

/** The id of an opened item: null where nothing is open, 'unknown' where the text is not an id. */
export const openedId: Param<number | 'unknown' | null> = {
  usual: null,
  read: (text) => countIn(text, MAX_ID) ?? 'unknown',
  write: String,
  keepsPage: true,
};

/** An unchanged text: a token, or a path. */
export const plainText: Param<string> = { usual: '', read: (text) => text, write: String, keepsPage: true };

/** A parameter with another name in the address than in the code. */
export function keyed<T>(key: string, param: Param<T>): Param<T> {
  return { ...param, key };
}
