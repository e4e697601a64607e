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
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'System', Icon: IconDeviceLaptop },
];
