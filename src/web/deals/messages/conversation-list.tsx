import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { Conversation } from '#contract/deals/messages.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { listTime, useNow } from '#web/lib/time-ago.ts';
import { useMember } from '#web/lib/viewer.tsx';
import classes from './conversation-list.module.css';
import { keyOf, type useConversations } from './queries.ts';

/** The id of a conversation's row, which takes the focus on the way back. */
export function rowId(deal: DealRef): string {
  return `conversation-${keyOf(deal)}`;
}

interface ConversationListProps {
  readonly list: ReturnType<typeof useConversations>;
  readonly selected: DealRef | null;
  readonly onSelect: (deal: DealRef) => void;
}

/** The viewer's conversations, the last changed first. */
export function ConversationList({ list, selected, onSelect }: ConversationListProps) {
  const now = useNow();
  const query = {
    data: list.isLoaded ? list.items : undefined,
    error: list.error,
    isFetching: list.isFetching,
    refetch: list.retry,
  };
  return (
    <QueryContent
      query={query}
      errorTitle={TEXTS.messages.loadFailed()}
      skeleton={<ConversationListSkeleton />}
    >
      {(conversations) =>
        conversations.length === 0 ? (
          <Text c="dimmed" ta="center" p="lg" role="status">
            <Trans>No conversations match your search.</Trans>
          </Text>
        ) : (
          <>
            <VisuallyHidden role="status">
              {plural(list.total, { one: '# conversation', other: '# conversations' })}
            </VisuallyHidden>
            <PlainList>
              {conversations.map((conversation) => (
                <li key={keyOf(conversation)}>
                  <ConversationRow
                    conversation={conversation}
                    isSelected={selected !== null && keyOf(selected) === keyOf(conversation)}
                    now={now}
                    onSelect={() => onSelect(conversation)}
                  />
                </li>
              ))}
            </PlainList>
            {list.hasMore && (
              <Stack p="sm">
                <Button variant="default" loading={list.isFetching} onClick={list.showMore}>
                  <Trans>Show more</Trans>
                </Button>
              </Stack>
            )}
          </>
        )
      }
    </QueryContent>
  );
}

interface ConversationRowProps {
  readonly conversation: Conversation;
  readonly isSelected: boolean;
  readonly now: Date;
  readonly onSelect: () => void;
}

function ConversationRow({ conversation, isSelected, now, onSelect }: ConversationRowProps) {
  const { otherUsername, otherProfileImageUrl, requestedCoupon, offeredCoupon } = conversation;
  const { dealType, status, lastMessage, unread, updatedAt } = conversation;
  const viewer = useMember();
  return (
    <UnstyledButton
      id={rowId(conversation)}
      className={classes.row}
      aria-current={isSelected || undefined}
      data-unread={unread > 0 || undefined}
      onClick={onSelect}
    >
      <UserAvatar username={otherUsername} profileImageUrl={otherProfileImageUrl} size={40} />
      <span className={classes.rowText}>
        <Group component="span" justify="space-between" gap={8} wrap="nowrap">
          <span className={classes.rowName}>{otherUsername}</span>
          <time className={classes.rowTime} dateTime={updatedAt} title={formatDateTime(updatedAt)}>
            {listTime(updatedAt, now)}
          </time>
        </Group>
        <span className={classes.rowCoupons}>
          <span>{requestedCoupon.title}</span>
          {offeredCoupon && (
            <>
              <IconArrowsLeftRight size={14} role="img" aria-label={t`for`} />
              <span>{offeredCoupon.title}</span>
            </>
          )}
        </span>
        {lastMessage && (
          <span className={classes.rowLast}>
            {lastMessage.senderId === viewer.id ? t`You: ${lastMessage.content}` : lastMessage.content}
          </span>
        )}
        <Group component="span" justify="space-between" gap={8} wrap="nowrap">
          <StatusBadge dealType={dealType} status={status} />
          {unread > 0 && (
            <span className={classes.count}>
              <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
              <VisuallyHidden>
                {plural(unread, { one: '# unread message', other: '# unread messages' })}
              </VisuallyHidden>
            </span>
          )}
        </Group>
      </span>
    </UnstyledButton>
  );
}

function ConversationListSkeleton() {
  return (
    <Repeat count={5}>
      <div className={classes.row}>
        <Skeleton height={40} circle />
        <span className={classes.rowText}>
          <Skeleton height={18} width="50%" mb={6} />
          <Skeleton height={16} width="85%" mb={6} />
          <Skeleton height={16} width="70%" mb={6} />
          <Skeleton height={20} width={80} radius="xl" />
        </span>
      </div>
    </Repeat>
  );
}
