import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Action } from './action-button.tsx';
import { menuButton } from './menu-button.tsx';

const MenuButton = menuButton(async () => (await import('./opened-action-menu.tsx')).OpenedActionMenu);

interface ActionMenuProps {
  /** The name of the ⋯ button. */
  readonly name: string;
  readonly actions: readonly Action[];
}

/** The rarer actions, behind ⋯. */
export function ActionMenu({ name, actions }: ActionMenuProps) {
  return (
    <MenuButton
      target={
        <ActionIcon variant="subtle" color="gray" size={36} radius="xl" title={name} aria-label={name}>
          <IconDots size={20} aria-hidden="true" color="var(--mantine-color-text)" />
        </ActionIcon>
      }
      actions={actions}
    />
  );
}
