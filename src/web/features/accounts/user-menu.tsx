import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import type { SessionUser } from '#contract/accounts.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { useLogoutWithToast } from './use-logout-with-toast.ts';

/** Who is signed in, and the way out. */
export function UserMenu({ user }: { user: SessionUser }) {
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
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={logout}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
