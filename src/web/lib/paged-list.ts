import { keepPreviousData } from '@tanstack/react-query';
import { usePage } from './address.ts';

/** Shows the page before while the next one loads. */
export const KEEP_PAGE = { placeholderData: keepPreviousData } as const;

/** The page of a list in the address: `input` for its query, `paging` for `PagedList`. */
export function usePagedList(pageSize: number) {
  const [page, onChange] = usePage();
  return { input: { page, limit: pageSize }, paging: { page, pageSize, onChange } };
}
