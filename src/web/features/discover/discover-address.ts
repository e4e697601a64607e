import { discoverInputSchema } from '#contract/discover.ts';

/** What the address of the page says: which merchants are listed, which one is open, and which page of its offers. */
export interface DiscoverAddress {
  readonly search: string;
  /** Null: the first of the list. */
  readonly merchant: string | null;
  readonly page: number;
}

const fields = discoverInputSchema.shape;

/** Reads the address; whatever makes no sense in it is as if it were not there. */
export function readAddress(params: URLSearchParams): DiscoverAddress {
  const read = (key: string) => fields.search.safeParse(params.get(key) ?? '').data ?? '';
  return {
    search: read('q'),
    merchant: read('merchant') || null,
    page: fields.page.safeParse(Number(params.get('page') ?? 1)).data ?? 1,
  };
}

/**
 * The address after a change: another search begins at its first merchant, another merchant at its first page.
 * Other parameters stay.
 */
export function changeAddress(params: URLSearchParams, change: Partial<DiscoverAddress>): URLSearchParams {
  const now = readAddress(params);
  const isSearch = change.search !== undefined;
  const isElsewhere = isSearch || change.merchant !== undefined;
  const wanted = {
    ...now,
    ...(isElsewhere && { page: 1 }),
    ...(isSearch && { merchant: null }),
    ...change,
  };
  const next = new URLSearchParams(params);
  const set = (key: string, value: string | null) => {
    if (value) next.set(key, value);
    else next.delete(key);
  };
  set('q', wanted.search);
  set('merchant', wanted.merchant);
  set('page', wanted.page === 1 ? null : String(wanted.page));
  return next;
}
