import { type MantineBreakpoint, useMantineTheme } from '@mantine/core';
import { useSyncExternalStore } from 'react';

/** Whether the screen is narrower than a breakpoint of the theme, like `@mixin smaller-than`. The server renders for phones. */
export function useIsBelow(size: MantineBreakpoint): boolean {
  const { breakpoints } = useMantineTheme();
  const list = () => window.matchMedia(`(min-width: ${breakpoints[size]})`);
  return useSyncExternalStore(
    (watcher) => {
      const watched = list();
      watched.addEventListener('change', watcher);
      return () => watched.removeEventListener('change', watcher);
    },
    () => !list().matches,
    () => true,
  );
}

/** Whether this is a phone: dialogs take its whole screen. */
export function useIsPhone(): boolean {
  return useIsBelow('xs');
}
