import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Announcement } from '#web/components/announcement.tsx';
import { menuButton } from '#web/components/menu-button.tsx';
import { useUnreadCount } from './queries.ts';

const Bell = menuButton(async () => (await import('./newest-notifications.tsx')).NewestMenu);

/** The bell: the unread count, the five newest notifications, and a link to all of them. */
export function NotificationsMenu() {
  const { data: count } = useUnreadCount();
  const unread = count?.unread ?? 0;
  return (
    <>
      <Announcement count={count?.unread} text={(now) => `New notification. ${now} unread.`} />
      <Indicator label={unread > 99 ? '99+' : unread} size={18} offset={6} disabled={unread === 0} zIndex={1}>
        <Bell
          target={
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
            >
              <IconBell size={22} color="var(--mantine-color-text)" />
            </ActionIcon>
          }
        />
      </Indicator>
    </>
  );
}
