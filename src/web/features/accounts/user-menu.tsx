import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router-dom';
import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useLogout } from './queries.ts';

/** Signs out, goes to the home page and shows a toast. */
export function useLogoutWithToast() {
  const navigate = useNavigate();
  const mutation = useLogout(() => navigate(paths.home));
  const logout = () =>
    mutation.mutateAsync().then(
      () => toasts.success(TEXTS.accounts.loggedOut, TEXTS.accounts.loggedOutText),
      (error) => toasts.failure(TEXTS.accounts.logoutFailed, writeErrorText(error, 'Please try again.')),
    );
  return { logout: () => void logout(), isPending: mutation.isPending };
}

interface UserMenuProps {
  readonly user: SessionUser;
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

/** The menu of the signed-in person: name, account pages, sign out. */
export function UserMenu({ user, links }: UserMenuProps) {
  const { logout } = useLogoutWithToast();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${user.username}`} p={4}>
          <UserAvatar {...user} />
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
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
