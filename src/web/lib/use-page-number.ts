import { useCallback, useMemo } from 'react';
import { defineAddress, pageNumber, useAddress } from './address.ts';

/** The page of a list, `?page=2` in the address, and a way to turn to another one, which begins at its top. */
export function usePageNumber(pageSize: number): [page: number, setPage: (page: number) => void] {
  const address = useMemo(() => defineAddress({ page: pageNumber(pageSize) }), [pageSize]);
  const [{ page }, change] = useAddress(address);
  const setPage = useCallback(
    (next: number) => change({ page: next }, { preventScrollReset: false }),
    [change],
  );
  return [page, setPage];
}
