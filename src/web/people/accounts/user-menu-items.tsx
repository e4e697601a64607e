import { Trans } from '@lingui/react/macro';
import { Menu, Text } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { MenuTarget } from '#web/components/menu-button.tsx';
import { OpenedMenu } from '#web/components/opened-menu.tsx';
import { ThemeItems } from '#web/components/theme-items.tsx';
import { useLogoutWithToast } from './use-logout.ts';

export interface UserMenuProps {
  readonly user: SessionUser;
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

/** Name, account pages, sign out. */
export function UserMenuItems({ target, user, links }: UserMenuProps & MenuTarget) {
  const { logout } = useLogoutWithToast();
  return (
    <OpenedMenu target={target} width={240} withinPortal>
      <Menu.Label>
        <Text fw={700} size="sm" c="var(--mantine-color-text)" truncate>
          {user.username}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {user.email}
        </Text>
      </Menu.Label>
      <Menu.Divider />
      {links.map(({ to, label }) => (
        <Menu.Item key={to} component={Link} to={to}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>
        <Trans>Theme</Trans>
      </Menu.Label>
      <ThemeItems />
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={logout}>
        <Trans>Sign out</Trans>
      </Menu.Item>
    </OpenedMenu>
  );
}
