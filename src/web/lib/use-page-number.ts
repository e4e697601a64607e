import { useCallback, useMemo } from 'react';
import { defineAddress, pageNumber, useAddress } from './address.ts';

type SetPage = (page: number, options?: { readonly replace: boolean }) => void;

/** The page of a list, `?page=2` in the address, and a way to turn to another one, which begins at its top. */
export function usePageNumber(pageSize: number): [page: number, setPage: SetPage] {
  const address = useMemo(() => defineAddress({ page: pageNumber(pageSize) }), [pageSize]);
  const [{ page }, change] = useAddress(address);
  const setPage = useCallback<SetPage>(
    (next, options) => change({ page: next }, { preventScrollReset: false, ...options }),
    [change],
  );
  return [page, setPage];
}
