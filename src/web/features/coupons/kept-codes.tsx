import { useEffect } from 'react';
import { keepsCodes } from '#web/lib/kept-values.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useCodesServer, useReadKeptAgain } from './use-codes-server.ts';

/**
 * Keeps what this device has of the viewer's codes as the server has it: when the page is opened, is looked at again, and
 * is back online. Forgets them when nobody is signed in any more. Renders nothing.
 */
export function KeptCodes() {
  const { data: me } = trpc.accounts.me.useQuery();
  const server = useCodesServer();
  const readAgain = useReadKeptAgain();
  const userId = me === undefined ? undefined : (me?.id ?? null);
  useEffect(() => {
    if (userId === undefined) return;
    const refresh = async () => {
      if (!keepsCodes() || document.visibilityState === 'hidden') return;
      const { forgetCodes, refreshCodes } = await import('#web/lib/kept-codes.ts');
      if (userId === null) return forgetCodes();
      await refreshCodes(userId, server);
      await readAgain();
    };
    // Without an answer everything stays as it is until the next time.
    const tryTo = () => void refresh().catch(() => {});
    tryTo();
    window.addEventListener('online', tryTo);
    document.addEventListener('visibilitychange', tryTo);
    return () => {
      window.removeEventListener('online', tryTo);
      document.removeEventListener('visibilitychange', tryTo);
    };
  }, [userId, server, readAgain]);
  return null;
}
