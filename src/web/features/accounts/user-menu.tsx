import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '#contract/accounts.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { useLogoutWithToast } from './use-logout-with-toast.ts';

interface UserMenuProps {
  readonly user: SessionUser;
  /** What is theirs to set up and to do. */
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

/** Who is signed in, their own pages, and the way out. */
export function UserMenu({ user, links }: UserMenuProps) {
  const { logout } = useLogoutWithToast();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${user.username}`} p={4}>
          <UserAvatar username={user.username} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={logout}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
