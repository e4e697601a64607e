import { t } from '@lingui/core/macro';
import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { THEME_CHOICES } from './theme-choices.ts';

/** The colour themes as lines of a menu. */
export function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return THEME_CHOICES.map(({ value, label, Icon }) => (
    <Menu.Item
      key={value}
      leftSection={<Icon size={16} />}
      rightSection={value === colorScheme && <IconCheck size={16} aria-label={t`selected`} />}
      onClick={() => setColorScheme(value)}
    >
      {label}
    </Menu.Item>
  ));
}
