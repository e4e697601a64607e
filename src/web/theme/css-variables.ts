import type { CSSVariablesResolver } from '@mantine/core';
import { GROUNDS, PAGE_GROUND } from '#contract/base/grounds.ts';
import { COLORS } from '#contract/base/palette.ts';

const { gray, dark } = COLORS;

function lightGround(color: string, ground: string): Record<string, string> {
  return {
    [`--mantine-color-${color}-light`]: ground,
    [`--mantine-color-${color}-light-hover`]: ground,
  };
}

/** Background (`ground`) and text (`ink`) colours of both themes; replaces Mantine's where they lack AA contrast. */
export const cssVariables: CSSVariablesResolver = (resolved) => ({
  variables: { '--ticket-radius': '14px' },
  light: {
    '--mantine-color-body': PAGE_GROUND.light,
    '--mantine-color-dimmed': resolved.colors.gray[6],
    '--mantine-color-placeholder': resolved.colors.gray[6],
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': resolved.colors.clip?.[7] ?? 'inherit',
    '--surface': GROUNDS.light.surface,
    '--surface-sunken': GROUNDS.light.sunken,
    '--line': gray[3],
    '--success-ink': '#1c5c36',
    '--success-ground': '#dcefdd',
    '--warning-ink': '#7a4500',
    '--warning-ground': '#fbe6bf',
    '--danger-ink': '#97201a',
    '--danger-ground': '#fbdeda',
    '--neutral-ink': gray[7],
    '--neutral-ground': GROUNDS.light.neutral,
    '--info-ink': '#1d4f79',
    '--info-ground': '#dbe9f5',
  },
  dark: {
    '--mantine-color-body': PAGE_GROUND.dark,
    '--mantine-color-dimmed': resolved.colors.dark[2],
    '--mantine-color-placeholder': resolved.colors.dark[3],
    '--mantine-color-error': '#ff9d92',
    '--mantine-color-anchor': resolved.colors.clip?.[3] ?? 'inherit',
    '--surface': GROUNDS.dark.surface,
    '--surface-sunken': GROUNDS.dark.sunken,
    '--line': dark[5],
    '--success-ink': '#a6dfb4',
    '--success-ground': '#1d3a27',
    '--warning-ink': '#f5cf85',
    '--warning-ground': '#46330f',
    '--danger-ink': '#ffb4ab',
    '--danger-ground': '#521f1b',
    '--neutral-ink': dark[1],
    '--neutral-ground': GROUNDS.dark.neutral,
    '--info-ink': '#a9d0f1',
    '--info-ground': '#1d3448',
    // The backgrounds of light variants; Mantine's would be darker than the page.
    ...lightGround('clip', GROUNDS.dark.clip),
    ...lightGround('gray', GROUNDS.dark.neutral),
    ...lightGround('red', '#521f1b'),
    ...lightGround('yellow', '#46330f'),
    ...lightGround('orange', '#46330f'),
    ...lightGround('green', '#1d3a27'),
    ...lightGround('teal', '#1d3a27'),
    ...lightGround('blue', '#1d3448'),
  },
});
