import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { COUNT_CAP, idSchema, SEARCH_MAX, textSchema } from '#contract/primitives.ts';

/** One value in the query of an address. */
export interface Param<T> {
  /** Left out of the address, and what stands for a text that makes no sense. */
  readonly usual: T;
  /** The value of a text; undefined where it makes no sense. */
  readonly read: (text: string) => T | undefined;
  readonly write: (value: T) => string;
  /** Its name in the address, where the code has another one. */
  readonly key?: string;
  /** Whether the list stays at its page when this changes: something is opened, nothing filtered. */
  readonly keepsPage?: boolean;
}

type Params<Values> = { readonly [Name in keyof Values]: Param<Values[Name]> };

/** What a page keeps in the query of its address, so that Back, reload and a copied link lead to the same. */
export interface Address<Values> {
  /** Whatever makes no sense is as if it were not there. */
  readonly read: (query: URLSearchParams) => Values;
  /** The query after a change. A filter begins at the first page again; what the address does not know stays. */
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

/** One of a few values, the first one of them where nothing else is said. */
export function oneOf<T extends string | number | null>(
  values: readonly T[],
  usual = values[0] as T,
): Param<T> {
  return { usual, read: (text) => values.find((value) => String(value) === text), write: String };
}

/** What somebody searches for; a longer text than `max` is none. */
export function searchText(max = SEARCH_MAX): Param<string> {
  const schema = textSchema(max);
  return { usual: '', read: (text) => schema.safeParse(text).data, write: (text) => text.trim() };
}

/** A page of a list, as far as its rows are counted. */
export function pageNumber(pageSize: number): Param<number> {
  const last = Math.ceil(COUNT_CAP / pageSize);
  const read = (text: string) => {
    const page = Number(text);
    return Number.isInteger(page) && page >= 1 && page <= last ? page : undefined;
  };
  return { usual: 1, read, write: String };
}

/** Something that is open: null where nothing is, 'unknown' where the text can be no id. */
export const openedId: Param<number | 'unknown' | null> = {
  usual: null,
  read: (text) => idSchema.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : null).data ?? 'unknown',
  write: String,
  keepsPage: true,
};

/** A text as it stands there: a token, or an address. */
export const plainText: Param<string> = { usual: '', read: (text) => text, write: String, keepsPage: true };

/** A value under another name in the address than in the code. */
export function keyed<T>(key: string, param: Param<T>): Param<T> {
  return { ...param, key };
}

export type ChangeAddress<Values> = (
  change: Partial<Values>,
  options?: { readonly replace?: boolean; readonly preventScrollReset?: boolean },
) => void;

/**
 * What the address says, and a way to change it that can be gone back from unless it replaces. What has been
 * scrolled to stays in sight: whoever changes a filter is looking at it.
 */
export function useAddress<Values>(address: Address<Values>): [Values, ChangeAddress<Values>] {
  const [query, setQuery] = useSearchParams();
  // Leaving a field by pressing another one makes two changes before the next render: the second goes on from the
  // first.
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
