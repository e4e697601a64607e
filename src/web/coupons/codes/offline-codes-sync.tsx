import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isFinal } from '#web/lib/errors.ts';
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
  useQuery({
    queryKey: ['offline-codes-sync', userId],
    queryFn: async () => {
      if (userId === undefined || !hasOfflineCodes()) return null;
      const { renewCodes } = await import('./renew-codes.ts');
      await renewCodes(userId, client, queries);
      return null;
    },
    enabled: userId !== undefined,
    networkMode: 'online',
    // By the clock of the device, which may have been set back, the last time may lie ahead.
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    // Browsers say that they are online before the first request gets through. What the device itself refuses it refuses again.
    retry: (_failures, error) => !isFinal(error) && !(error instanceof DOMException),
    retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 60_000),
  });
  return null;
}
