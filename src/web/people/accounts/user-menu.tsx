import { t } from '@lingui/core/macro';
import { UnstyledButton } from '@mantine/core';
import { menuButton } from '#web/components/menu-button.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import type { UserMenuProps } from './user-menu-items.tsx';

const UserButton = menuButton(async () => (await import('./user-menu-items.tsx')).UserMenuItems);

/** The menu of the signed-in person: name, account pages, sign out. */
export function UserMenu(props: UserMenuProps) {
  const { user } = props;
  return (
    <UserButton
      {...props}
      target={
        <UnstyledButton aria-label={t`Account of ${user.username}`} p={4}>
          <UserAvatar {...user} />
        </UnstyledButton>
      }
    />
  );
}
