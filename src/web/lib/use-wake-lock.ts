import { useEffect } from 'react';

/**
 * Keeps the screen awake, where the browser supports it: a code must stay visible at the checkout. The
 * browser releases the lock when the page is hidden, so it is requested again when the page is visible.
 */
export function useWakeLock(): void {
  useEffect(() => {
    // Missing outside https, and in some browsers.
    if (!('wakeLock' in navigator)) return;
    let isOver = false;
    let lock: WakeLockSentinel | null = null;
    const ask = async () => {
      if (document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      try {
        const next = await navigator.wakeLock.request('screen');
        if (isOver) await next.release();
        else lock = next;
      } catch {
        // Refused, for example to save the battery: the code is still shown.
      }
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
