import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
      errorTitle={t`Error loading your sign-ins`}
      skeleton={<Skeleton height={132} radius="md" aria-hidden="true" />}
    >
      {(signIns) =>
        signIns.length === 0 ? (
          <Text c="dimmed">
            <Trans>No sign-ins to show yet.</Trans>
          </Text>
        ) : (
          <PlainList className={rows.list} aria-label={t`Sign-ins`}>
            {signIns.map(({ id, device, isNewBrowser, createdAt }) => (
              <Box component="li" key={id} px={16} py={12}>
                <Group gap="xs">
                  <Text fw={600}>{device}</Text>
                  {isNewBrowser && (
                    <ToneBadge tone="warning">
                      <Trans>New browser</Trans>
                    </ToneBadge>
                  )}
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
