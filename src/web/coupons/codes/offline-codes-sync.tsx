import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trpc } from '#web/lib/trpc.ts';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';

/**
 * Keeps what this device has of the viewer's codes as the server has it: when the page is opened, is looked at again, and
 * is back online. Forgets them when nobody is signed in any more. Renders nothing.
 */
export function OfflineCodesSync() {
  const { data: me } = trpc.accounts.me.useQuery();
  const { client } = trpc.useUtils();
  const queries = useQueryClient();
  const userId = me === undefined ? undefined : (me?.id ?? null);
  useEffect(() => {
    if (userId === undefined) return;
    const renew = () => {
      if (!hasOfflineCodes() || document.hidden) return;
      import('./renew-codes.ts')
        .then(({ renewCodes }) => renewCodes(userId, client, queries))
        // Without an answer everything stays as it is until the next time.
        .catch(() => {});
    };
    renew();
    const until = new AbortController();
    window.addEventListener('online', renew, until);
    document.addEventListener('visibilitychange', renew, until);
    return () => until.abort();
  }, [userId, client, queries]);
  return null;
}
