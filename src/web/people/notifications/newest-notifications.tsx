import { Trans } from '@lingui/react/macro';
import { Menu, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { MenuTarget } from '#web/components/menu-button.tsx';
import { OpenedMenu } from '#web/components/opened-menu.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { TimeAgo } from '#web/components/time-ago.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMarkRead } from './queries.ts';

const SHOWN = 5;

/** The newest notifications, and a link to all of them. */
export function NewestMenu({ target }: MenuTarget) {
  const refresh = useRefresh();
  return (
    <OpenedMenu
      target={target}
      width={340}
      onOpen={() => void refresh('notifications.list', 'notifications.unreadCount')}
    >
      <NewestNotifications />
      <Menu.Divider />
      <Menu.Item component={Link} to={paths.notifications} ta="center" fw={600}>
        {TEXTS.notifications.viewAll()}
      </Menu.Item>
    </OpenedMenu>
  );
}

function NewestNotifications() {
  const { data, error } = trpc.notifications.list.useQuery({ limit: SHOWN });
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
  if (data.items.length === 0) return <Menu.Label>{TEXTS.notifications.none()}</Menu.Label>;
  return data.items.map(({ id, content, link, isRead, createdAt }) => (
    <Menu.Item key={id} component={Link} to={link} onClick={() => !isRead && markRead.mutate({ id })}>
      <Text size="sm" fw={isRead ? 400 : 700} lineClamp={3}>
        {!isRead && (
          <VisuallyHidden>
            <Trans>Unread:</Trans>{' '}
          </VisuallyHidden>
        )}
        {content}
      </Text>
      <Text size="xs" c="dimmed">
        <TimeAgo instant={createdAt} />
      </Text>
    </Menu.Item>
  ));
}
