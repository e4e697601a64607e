import { useSearchParams } from 'react-router-dom';
import { COUNT_CAP } from '#contract/primitives.ts';

/**
 * The page of a list, kept in the address as `?page=2`, so that Back, reload and a copied link come to the same
 * one. What makes no sense, or lies beyond the rows that are counted, is the first page.
 */
export function usePageNumber(pageSize: number): [page: number, setPage: (page: number) => void] {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('page') ?? '1');
  const page = Number.isInteger(asked) && asked >= 1 && asked <= Math.ceil(COUNT_CAP / pageSize) ? asked : 1;
  const setPage = (next: number) =>
    setParams((now) => {
      const changed = new URLSearchParams(now);
      if (next === 1) changed.delete('page');
      else changed.set('page', String(next));
      return changed;
    });
  return [page, setPage];
}
