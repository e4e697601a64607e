import { useState } from 'react';
import type { Page } from '#contract/base/primitives.ts';

/** The query inputs of the pages that a growing list shows. `showMore` adds one; a new search starts over. */
export function usePageInputs(search: string, limit: number) {
  const [shown, setShown] = useState({ search, pages: 1 });
  const pages = shown.search === search ? shown.pages : 1;
  return {
    inputs: Array.from({ length: pages }, (_, index) => ({
      search: search || undefined,
      page: index + 1,
      limit,
    })),
    showMore: () => setShown({ search, pages: pages + 1 }),
  };
}

interface PageQuery<Item> {
  readonly data: Page<Item> | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** Joins the pages of a growing list into one. */
export function joinPages<Item>(queries: readonly PageQuery<Item>[], limit: number) {
  const failed = queries.find(({ error }) => error !== null);
  const last = queries.at(-1)?.data;
  return {
    items: queries.flatMap(({ data }) => data?.items ?? []),
    /** There is a first page to show. */
    isLoaded: queries[0]?.data !== undefined,
    isFetching: queries.some(({ isFetching }) => isFetching),
    total: last?.total ?? 0,
    hasMore: last !== undefined && last.total > queries.length * limit,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
