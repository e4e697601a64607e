import { useEffect } from 'react';

/**
 * Keeps the screen awake while `isWanted`, where the browser can: a code must not go dark at the till. The browser
 * lets go whenever the page is out of sight, so it is asked again when the page comes back.
 */
export function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    // Missing outside https, and in some browsers.
    if (!isWanted || !('wakeLock' in navigator)) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      try {
        const next = await navigator.wakeLock.request('screen');
        if (isOver) await next.release();
        else lock = next;
      } catch {
        // Refused, to spare the battery for instance: the code is shown all the same.
      }
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, [isWanted]);
}
