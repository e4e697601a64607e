import { type MantineBreakpoint, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is narrower than a breakpoint of the theme, like `@mixin smaller-than`. */
export function useIsBelow(size: MantineBreakpoint): boolean {
  const { breakpoints } = useMantineTheme();
  const isAtLeast = useMediaQuery(`(min-width: ${breakpoints[size]})`, undefined, {
    // Correct in the first render.
    getInitialValueInEffect: false,
  });
  return !isAtLeast;
}

/** Whether this is a phone: dialogs take its whole screen. */
export function useIsPhone(): boolean {
  return useIsBelow('xs');
}
