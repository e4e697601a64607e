import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useRef } from 'react';
import { pageConfig } from '#web/lib/page-config.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { type Row, withDrafts } from './rows.ts';

/** Keeps the drafts from the viewer's email or assistant among the rows. */
export function useDrafts(changeRows: (change: (rows: readonly Row[]) => readonly Row[]) => void) {
  const { data: count } = trpc.drafts.count.useQuery();
  const query = trpc.drafts.list.useQuery(undefined, {
    enabled: pageConfig.takesMail() || (count?.waiting ?? 0) > 0,
  });
  const discarding = trpc.drafts.discard.useMutation();
  /** Those that were listed or discarded here: an older answer must not bring them back. */
  const ended = useRef(new Set<number>());
  const { data, refetch } = query;
  const addAll = useCallback(() => {
    if (data)
      changeRows((rows) =>
        withDrafts(
          rows,
          data.filter(({ id }) => !ended.current.has(id)),
        ),
      );
  }, [data, changeRows]);
  useEffect(addAll, [addAll]);
  const end = (id: number) => ended.current.add(id);
  const discard = async (id: number) => {
    end(id);
    try {
      await discarding.mutateAsync({ id });
    } catch (error) {
      toasts.failed(error, t`Row not removed`);
      ended.current.delete(id);
      await refetch();
    }
  };
  return {
    waiting: data ?? [],
    isLoading: query.isLoading,
    hasFailed: query.isError,
    refetch,
    addAll,
    end,
    discard,
  };
}
