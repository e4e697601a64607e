import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Whether there is a network, as far as the browser knows. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (watcher) => onlineManager.subscribe(watcher),
    () => onlineManager.isOnline(),
    // Whoever gets a page from the server has a network.
    () => true,
  );
}
