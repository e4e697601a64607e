import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * False on the server, and while the browser takes over what it has rendered: until then nothing may be shown that only
 * this browser knows, as what it stores and the time zone.
 */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
