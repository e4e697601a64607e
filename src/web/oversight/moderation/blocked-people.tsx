import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { BlockedPerson } from '#contract/people/blocks.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDate } from '#web/lib/format.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

const LIST_ID = 'blocked-people';

/** The people whom the viewer has blocked, each with a button that undoes it. */
export function BlockedPeople() {
  const query = trpc.blocks.list.useQuery();
  return (
    <div id={LIST_ID} tabIndex={-1}>
      <QueryContent
        query={query}
        errorTitle={t`Error loading blocked people`}
        skeleton={<Skeleton height={72} radius="md" />}
      >
        {(people) =>
          people.length === 0 ? (
            <Text c="dimmed">
              <Trans>
                You have not blocked anyone. You can block someone on their profile or in a conversation.
              </Trans>
            </Text>
          ) : (
            <PlainList className={rows.list}>
              {people.map((person) => (
                <BlockedRow key={person.id} person={person} />
              ))}
            </PlainList>
          )
        }
      </QueryContent>
    </div>
  );
}

function BlockedRow({ person: { id, username, profileImageUrl, blockedAt } }: { person: BlockedPerson }) {
  const unblock = trpc.blocks.remove.useMutation({
    onSuccess: () => {
      toasts.success(t`${username} is unblocked`, t`You can deal with each other again.`);
      rescueFocus([LIST_ID]);
    },
    onError: (error) => toasts.failed(error, t`Not unblocked`),
  });
  return (
    <Group component="li" gap={12} wrap="nowrap" p={16}>
      <UserAvatar username={username} profileImageUrl={profileImageUrl} size={40} />
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={paths.user(id)} fw={600} c="inherit" className="target">
          {username}
        </Anchor>
        <Text size="sm" c="dimmed">
          <Trans>Blocked {formatDate(blockedAt)}</Trans>
        </Text>
      </Box>
      <Button
        size="compact-md"
        variant="default"
        loading={unblock.isPending}
        onClick={() => unblock.mutate({ userId: id })}
      >
        <Trans>
          Unblock<VisuallyHidden> {username}</VisuallyHidden>
        </Trans>
      </Button>
    </Group>
  );
}
