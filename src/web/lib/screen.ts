import { type MantineBreakpoint, useMantineTheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';

/** Whether the screen is narrower than a breakpoint of the theme, just as `@mixin smaller-than` has it. */
export function useIsBelow(size: MantineBreakpoint): boolean {
  const { breakpoints } = useMantineTheme();
  const isAtLeast = useMediaQuery(`(min-width: ${breakpoints[size]})`, undefined, {
    // The first picture is right already.
    getInitialValueInEffect: false,
  });
  return !isAtLeast;
}

/** Whether this is a phone: dialogs take its whole screen. */
export function useIsPhone(): boolean {
  return useIsBelow('xs');
}
