import { t } from '@lingui/core/macro';
import { ActionIcon, Box } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Announcement } from '#web/components/announcement.tsx';
import { menuButton } from '#web/components/menu-button.tsx';
import { trpc } from '#web/lib/trpc.ts';
import classes from './notifications-menu.module.css';

const Bell = menuButton(async () => (await import('./newest-notifications.tsx')).NewestMenu);

/** The bell: the unread count, the five newest notifications, and a link to all of them. */
export function NotificationsMenu() {
  const { data: count } = trpc.notifications.unreadCount.useQuery();
  const unread = count?.unread ?? 0;
  return (
    <>
      <Announcement count={count?.unread} text={(now) => t`New notification. ${now} unread.`} />
      <Box pos="relative">
        <Bell
          target={
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              className={classes.bell}
              aria-label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`}
            >
              <IconBell size={22} color="var(--mantine-color-text)" />
            </ActionIcon>
          }
        />
        {unread > 0 && (
          <span className={classes.unread} aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </Box>
    </>
  );
}
