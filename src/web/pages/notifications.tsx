import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import {
  IconArrowsLeftRight,
  IconBell,
  IconCheck,
  IconMessage,
  IconSearch,
  IconTicket,
  IconX,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Notification, NotificationType } from '#contract/people/notifications.ts';
import { BellDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import tones from '#web/components/status-badge.module.css';
import type { Tone } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { TimeAgo } from '#web/components/time-ago.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from '#web/people/notifications/notifications.module.css';
import { useMarkAllRead, useMarkRead } from '#web/people/notifications/queries.ts';

/** Marks everything as read; hidden if nothing is unread, in its place, so that nothing moves. */
function MarkAllReadButton() {
  const { data } = trpc.notifications.unreadCount.useQuery();
  const markAllRead = useMarkAllRead();
  return (
    <Button
      variant="default"
      style={data?.unread ? undefined : { visibility: 'hidden' }}
      loading={markAllRead.isPending}
      onClick={() => markAllRead.mutate()}
    >
      <Trans>Mark all as read</Trans>
    </Button>
  );
}

export function Component() {
  return (
    <PageShell title={PAGES.notifications.title()} size="md" action={<MarkAllReadButton />}>
      <NotificationsList />
    </PageShell>
  );
}

/** Every notification, newest first. */
function NotificationsList() {
  const { input, paging } = usePagedList(PAGE_SIZES.notifications);
  const query = trpc.notifications.list.useQuery(input, KEEP_PAGE);
  return (
    <PagedList
      query={query}
      {...paging}
      label={t`Notifications`}
      gap="sm"
      errorTitle={t`Error loading notifications`}
      errorText={readErrorText(query.error, t`Please try again.`)}
      skeleton={
        <Stack gap="sm">
          <Repeat count={5}>
            <Surface bdrs="md" gap={4}>
              <Skeleton height={18} width="70%" mb={10} />
              <Skeleton height={14} width={140} />
            </Surface>
          </Repeat>
        </Stack>
      }
      empty={
        <EmptyState
          title={TEXTS.notifications.none()}
          text={t`We tell you here when someone asks for one of your coupons or answers you.`}
          drawing={<BellDrawing />}
          action={
            <Button component={Link} to={paths.home}>
              <Trans>Browse Coupons</Trans>
            </Button>
          }
        />
      }
    >
      {(notifications) => (
        <Stack gap="sm">
          {notifications.map((notification) => (
            <NotificationCard key={notification.id} notification={notification} />
          ))}
        </Stack>
      )}
    </PagedList>
  );
}

const SIGNS: Record<NotificationType, { Icon: typeof IconBell; tone: Tone }> = {
  exchange_request: { Icon: IconArrowsLeftRight, tone: 'warning' },
  exchange_accepted: { Icon: IconCheck, tone: 'info' },
  exchange_rejected: { Icon: IconX, tone: 'danger' },
  exchange_completed: { Icon: IconTicket, tone: 'success' },
  message: { Icon: IconMessage, tone: 'info' },
  want: { Icon: IconSearch, tone: 'info' },
  match: { Icon: IconArrowsLeftRight, tone: 'success' },
  other: { Icon: IconBell, tone: 'neutral' },
  weekly: { Icon: IconBell, tone: 'neutral' },
};

/** The whole card is a link to the notification's subject; following it marks the notification as read. */
function NotificationCard({ notification }: { notification: Notification }) {
  const { id, type, content, link, isRead, createdAt } = notification;
  const { Icon, tone } = SIGNS[type];
  const markRead = useMarkRead();
  return (
    <Surface bdrs="md" className={`${classes.card} ${classes.pressable} ${isRead ? '' : classes.unread}`}>
      <span className={`${classes.sign} ${tones[tone]}`} aria-hidden="true">
        <Icon size={18} />
      </span>
      <Stack gap={4}>
        <Link to={link} className={classes.cover} onClick={() => !isRead && markRead.mutate({ id })}>
          <Text component="span" fw={isRead ? 400 : 700}>
            {!isRead && (
              <VisuallyHidden>
                <Trans>Unread:</Trans>{' '}
              </VisuallyHidden>
            )}
            {content}
          </Text>
        </Link>
        <Group justify="space-between" gap="xs" mih={32}>
          <Text size="sm" c="dimmed">
            <TimeAgo instant={createdAt} />
          </Text>
          {!isRead && (
            <Button
              size="compact-sm"
              variant="subtle"
              c="var(--mantine-color-anchor)"
              pos="relative"
              onClick={() => markRead.mutate({ id })}
            >
              <Trans>Mark as read</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Surface>
  );
}
