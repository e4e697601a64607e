import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Filters, readFilters, writeFilters } from './filters.ts';

export type ChangeFilters = (change: Partial<Filters>, options?: { replace?: boolean }) => void;

/**
 * The filters of the address, and a way to change them that can be gone back from. What has been scrolled to stays
 * in sight: whoever changes a filter is looking at it.
 */
export function useFilters(): [Filters, ChangeFilters] {
  const [params, setParams] = useSearchParams();
  // Leaving a field by pressing another one makes two changes before the page is drawn anew: the second goes on
  // from the first.
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const change = useCallback<ChangeFilters>(
    (patch, options) => {
      latest.current = writeFilters(latest.current, patch);
      setParams(latest.current, { preventScrollReset: true, replace: options?.replace });
    },
    [setParams],
  );
  return [readFilters(params), change];
}
