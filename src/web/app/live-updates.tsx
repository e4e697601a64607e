import { useEffect } from 'react';
import { useRefresh } from '#web/lib/query-client.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** When the code of the connection could not be loaded it is tried again after this time. */
const LOAD_AGAIN_MS = 60_000;

/** Refreshes the screen on live events while somebody is signed in. Renders nothing. */
export function LiveUpdates() {
  const userId = useViewer().user?.id;
  const refresh = useRefresh();
  useEffect(() => {
    if (userId === undefined) return;
    let isOver = false;
    let end = () => {};
    const begin = async () => {
      try {
        const [{ receiveLive }, { touchedBy }] = await Promise.all([
          import('./live-connection.ts'),
          import('#web/lib/touches.ts'),
        ]);
        if (isOver) return;
        end = receiveLive(
          userId,
          (event) => void refresh(...touchedBy(event)),
          () => void refresh('accounts.me'),
        );
      } catch (error) {
        // Offline, or after a release: until it works the screen is refreshed whenever the window gets the focus.
        console.error(error);
        if (isOver) return;
        const timer = setTimeout(() => void begin(), LOAD_AGAIN_MS);
        end = () => clearTimeout(timer);
      }
    };
    void begin();
    return () => {
      isOver = true;
      end();
    };
  }, [userId, refresh]);
  return null;
}
