import { useEffect } from 'react';
import { useRefresh } from '#web/lib/query-client.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** Refreshes the screen on live events while somebody is signed in. Renders nothing. */
export function LiveUpdates() {
  const userId = useViewer().user?.id;
  const refresh = useRefresh();
  useEffect(() => {
    if (userId === undefined) return;
    let end = () => {};
    let isOver = false;
    const parts = Promise.all([import('./live-connection.ts'), import('#web/lib/touches.ts')]);
    parts.then(([{ receiveLive }, { touchedBy }]) => {
      if (isOver) return;
      end = receiveLive(
        userId,
        (event) => void refresh(...touchedBy(event)),
        () => void refresh('accounts.me'),
      );
    }, console.error);
    return () => {
      isOver = true;
      end();
    };
  }, [userId, refresh]);
  return null;
}
