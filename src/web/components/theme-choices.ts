import { t } from '@lingui/core/macro';
import type { MantineColorScheme } from '@mantine/core';
import { IconDeviceLaptop, IconMoon, IconSun } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface ThemeChoice {
  readonly value: MantineColorScheme;
  readonly label: string;
  readonly Icon: ComponentType<{ size: number; color?: string }>;
}

/** The colour themes, in the order of the menus. */
export const THEME_CHOICES: readonly ThemeChoice[] = [
  { value: 'light', label: t`Light`, Icon: IconSun },
  { value: 'dark', label: t`Dark`, Icon: IconMoon },
  { value: 'auto', label: t`System`, Icon: IconDeviceLaptop },
];
