import { ActionIcon, Indicator, Menu, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { TimeAgo } from '#web/components/time-ago.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { useMarkRead, useNewestNotifications, useUnreadCount } from './queries.ts';

/** The bell: the unread count, the five newest notifications, and a link to all of them. */
export function NotificationsMenu() {
  const { data: count } = useUnreadCount();
  const refresh = useRefresh();
  const unread = count?.unread ?? 0;

  return (
    <>
      <Announcement count={count?.unread} text={(now) => `New notification. ${now} unread.`} />
      <Menu
        position="bottom-end"
        width={340}
        onOpen={() => void refresh('notifications.list', 'notifications.unreadCount')}
      >
        <Indicator
          label={unread > 99 ? '99+' : unread}
          size={18}
          offset={6}
          disabled={unread === 0}
          zIndex={1}
        >
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
            >
              <IconBell size={22} color="var(--mantine-color-text)" />
            </ActionIcon>
          </Menu.Target>
        </Indicator>
        <Menu.Dropdown>
          <NewestNotifications />
          <Menu.Divider />
          <Menu.Item component={Link} to={paths.notifications} ta="center" fw={600}>
            {TEXTS.notifications.viewAll}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function NewestNotifications() {
  const { data, error } = useNewestNotifications();
  const markRead = useMarkRead();
  if (!data) {
    if (error) return <Menu.Label>{readErrorText(error)}</Menu.Label>;
    return (
      <div aria-busy="true">
        <Repeat count={3}>
          <Skeleton height={40} m="xs" w="auto" />
        </Repeat>
      </div>
    );
  }
  if (data.items.length === 0) return <Menu.Label>{TEXTS.notifications.none}</Menu.Label>;
  return data.items.map(({ id, content, link, isRead, createdAt }) => (
    <Menu.Item key={id} component={Link} to={link} onClick={() => !isRead && markRead.mutate({ id })}>
      <Text size="sm" fw={isRead ? 400 : 700} lineClamp={3}>
        {!isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
        {content}
      </Text>
      <Text size="xs" c="dimmed">
        <TimeAgo instant={createdAt} />
      </Text>
    </Menu.Item>
  ));
}
