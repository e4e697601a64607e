import { Menu } from '@mantine/core';
import type { Action } from './action-button.tsx';
import type { MenuTarget } from './menu-button.tsx';
import { OpenedMenu } from './opened-menu.tsx';

interface OpenedActionMenuProps extends MenuTarget {
  readonly actions: readonly Action[];
}

export function OpenedActionMenu({ target, actions }: OpenedActionMenuProps) {
  return (
    <OpenedMenu target={target}>
      {actions.map(({ icon: Icon, label, name, hint: _, ...item }) => (
        <Menu.Item
          key={label}
          leftSection={<Icon size={16} aria-hidden="true" />}
          aria-label={name === label ? undefined : name}
          {...item}
        >
          {label}
        </Menu.Item>
      ))}
    </OpenedMenu>
  );
}
