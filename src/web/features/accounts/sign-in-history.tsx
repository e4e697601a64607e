import { Box, Group, Skeleton, Text } from '@mantine/core';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';

/** The viewer's latest sign-ins, the newest first. */
export function SignInHistory() {
  const query = trpc.accounts.signIns.useQuery();
  return (
    <QueryContent
      query={query}
      errorTitle="Error loading your sign-ins"
      skeleton={<Skeleton height={132} radius="md" aria-hidden="true" />}
    >
      {(signIns) =>
        signIns.length === 0 ? (
          <Text c="dimmed">No sign-ins to show yet.</Text>
        ) : (
          <PlainList className={rows.list} aria-label="Sign-ins">
            {signIns.map(({ id, device, isNewBrowser, createdAt }) => (
              <Box component="li" key={id} px={16} py={12}>
                <Group gap="xs">
                  <Text fw={600}>{device}</Text>
                  {isNewBrowser && <ToneBadge tone="warning">New browser</ToneBadge>}
                </Group>
                <Text size="sm" c="dimmed" className="tabular">
                  {formatDateTime(createdAt)}
                </Text>
              </Box>
            ))}
          </PlainList>
        )
      }
    </QueryContent>
  );
}
