import { type MantineColorScheme, Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { MenuTarget } from '#web/components/menu-button.tsx';
import { OpenedMenu } from '#web/components/opened-menu.tsx';

export interface ThemeChoice {
  readonly value: MantineColorScheme;
  readonly label: string;
  readonly Icon: ComponentType<{ size: number; color?: string }>;
}

interface ThemeMenuProps extends MenuTarget {
  readonly choices: readonly ThemeChoice[];
  readonly chosen: MantineColorScheme;
  readonly onChoose: (scheme: MantineColorScheme) => void;
}

export function ThemeMenu({ target, choices, chosen, onChoose }: ThemeMenuProps) {
  return (
    <OpenedMenu target={target}>
      {choices.map(({ value, label, Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={16} />}
          rightSection={value === chosen && <IconCheck size={16} aria-label="selected" />}
          onClick={() => onChoose(value)}
        >
          {label}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
