import { hashKey, type Query, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Language } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { SHARED_CACHE } from '#contract/base/share-target.ts';
import { hasCode } from '#web/lib/errors.ts';
import { keepLanguage } from '#web/lib/page-language.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { forgetOthers } from '#web/lib/viewer-storage.ts';

/* What the frame of every page needs. */

/** The signed-in person; null for a visitor. */
export function useCurrentUser() {
  return trpc.accounts.me.useQuery();
}

/** Remembers a language in this browser, and with the account of whoever is signed in: we write to them in it. */
export function useLanguageChoice() {
  const { user } = useViewer();
  const { mutateAsync } = trpc.accounts.chooseLanguage.useMutation();
  return async (language: Language) => {
    keepLanguage(language);
    // A failure shows a toast, and this browser has the choice all the same.
    if (user) await mutateAsync({ language }).catch(() => {});
  };
}

function isMe(query: Query): boolean {
  return query.queryHash === hashKey(getQueryKey(trpc.accounts.me, undefined, 'query'));
}

/** Whether the query's data was dropped and is not being fetched. */
function isDropped({ state }: Query): boolean {
  return state.status === 'pending' && state.fetchStatus === 'idle';
}

/**
 * Keeps the query cache to one person. When the viewer changes (signed in or out, here, in another tab, or by a
 * session that ended) all other data is dropped before anything is drawn, and what is still on screen is refetched.
 * A call refused with 401 fetches the viewer again.
 * @param userId null for a visitor, undefined until it is known
 */
export function useResetOnViewerChange(userId: number | null | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const refresh = useRefresh();

  useEffect(() => {
    const read = () => {
      const me = utils.accounts.me.getData();
      return me === undefined ? undefined : (me?.id ?? null);
    };
    let known = read();
    const refetchViewer = (error: unknown) => {
      if (known && hasCode(error, 'unauthorized')) void refresh('accounts.me');
    };
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      // 'failed': the query will be retried. 'error': it will not.
      if (event.action.type === 'failed' || event.action.type === 'error') refetchViewer(event.action.error);
      if (event.action.type !== 'success' || !isMe(event.query)) return;
      const before = known;
      known = read();
      if (before === undefined || before === known) return;
      // What a visitor has shared waits for their sign-in.
      if (before !== null) globalThis.caches?.delete(SHARED_CACHE).catch(console.error);
      for (const query of queryClient.getQueryCache().getAll()) if (!isMe(query)) query.reset();
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') refetchViewer(event.action.error);
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient, refresh, utils]);

  // In an effect: by then the previous viewer's queries are unmounted and are not refetched.
  useEffect(() => {
    if (userId !== undefined) void queryClient.refetchQueries({ type: 'active', predicate: isDropped });
  }, [queryClient, userId]);
}

/** What follows when the viewer has signed out or deleted the account: the public home page, without a viewer. */
export function useBecomeVisitor() {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  return async () => {
    await navigate(paths.home);
    forgetOthers(undefined);
    await utils.accounts.me.cancel();
    utils.accounts.me.setData(undefined, null);
  };
}
