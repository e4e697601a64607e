import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { idSchema, type PageRef, pageRefSchema, SEARCH_MAX, textSchema } from '#contract/primitives.ts';

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
  const schema = textSchema(max);
  return { usual: '', read: (text) => schema.safeParse(text).data, write: (text) => text.trim() };
}

/** A page of a list. The list itself says where there is no such page. */
export const pageRef: Param<PageRef> = {
  usual: 1,
  read: (text) => pageRefSchema.safeParse(/^\d+$/.test(text) ? Number(text) : text).data,
  write: String,
};

/** The id of an opened item: null where nothing is open, 'unknown' where the text is not an id. */
export const openedId: Param<number | 'unknown' | null> = {
  usual: null,
  read: (text) => idSchema.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : null).data ?? 'unknown',
  write: String,
  keepsPage: true,
};

/** An unchanged text: a token, or a path. */
export const plainText: Param<string> = { usual: '', read: (text) => text, write: String, keepsPage: true };

/** A parameter with another name in the address than in the code. */
export function keyed<T>(key: string, param: Param<T>): Param<T> {
  return { ...param, key };
}

export type ChangeAddress<Values> = (
  change: Partial<Values>,
  options?: { readonly replace?: boolean; readonly preventScrollReset?: boolean },
) => void;

/**
 * The values in the address, and a function that changes them. A change adds a history entry unless `replace` is set,
 * and keeps the scroll position.
 */
export function useAddress<Values>(address: Address<Values>): [Values, ChangeAddress<Values>] {
  const [query, setQuery] = useSearchParams();
  // Two changes can happen before the next render (leaving a field by clicking another): the second builds on the first.
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  const change = useCallback<ChangeAddress<Values>>(
    (values, options) => {
      latest.current = address.change(latest.current, values);
      setQuery(latest.current, { preventScrollReset: true, ...options });
    },
    [address, setQuery],
  );
  return [address.read(query), change];
}

type SetPage = (page: PageRef, options?: { readonly replace: boolean }) => void;

const PAGE = defineAddress({ page: pageRef });

/** The page in the address (`?page=2`), and a function that goes to another page and scrolls to its top. */
export function usePage(): [page: PageRef, setPage: SetPage] {
  const [{ page }, change] = useAddress(PAGE);
  const setPage = useCallback<SetPage>(
    (next, options) => change({ page: next }, { preventScrollReset: false, ...options }),
    [change],
  );
  return [page, setPage];
}
