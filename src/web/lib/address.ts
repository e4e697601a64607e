import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Address } from '#contract/base/address.ts';
import { PAGE_ADDRESS } from '#contract/base/first-answers.ts';
import type { PageRef } from '#contract/base/primitives.ts';

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

/** The page in the address (`?page=2`), and a function that goes to another page and scrolls to its top. */
export function usePage(): [page: PageRef, setPage: SetPage] {
  const [{ page }, change] = useAddress(PAGE_ADDRESS);
  const setPage = useCallback<SetPage>(
    (next, options) => change({ page: next }, { preventScrollReset: false, ...options }),
    [change],
  );
  return [page, setPage];
}
