import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, Text, Title } from '@mantine/core';
import type { StoppedSeller } from '#contract/money/claims.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { type ContentQuery, QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { RecordButton } from './record-button.tsx';

/** People who cannot sell until a moderator has looked. Nothing where there are none. */
export function StoppedSellers({ query }: { query: ContentQuery<readonly StoppedSeller[]> }) {
  // Here, because a card goes before its answer is handled.
  const resuming = trpc.claims.resumeSales.useMutation();
  if (query.data?.length === 0) return null;
  const ask = ({ id, username }: StoppedSeller) =>
    openDialog('confirm', {
      title: t`Let ${username} sell again?`,
      text: t`Claims from before now no longer stop their sales. We tell ${username}.`,
      confirmLabel: t`Let ${username} sell`,
      act: () => resuming.mutateAsync({ id }),
      done: [t`Decision saved`, t`${username} can sell again.`],
      failed: [t`Decision not saved`],
    });
  return (
    <Box component="section" aria-labelledby="stopped-sellers" mb={32}>
      <Title order={2} size="h3" id="stopped-sellers" mb={4}>
        <Trans>Sellers to check</Trans>
      </Title>
      <Text mb="sm">
        <Trans>
          Several people say that codes of these sellers do not work. They cannot sell until you have looked
          at their claims. If they deceive people, ban them.
        </Trans>
      </Text>
      <QueryContent query={query} errorTitle={t`Failed to fetch sellers`} skeleton={null}>
        {(sellers) => (
          <PlainList gap={16} mb={24}>
            {sellers.map((seller) => (
              <Surface key={seller.id} component="li" gap={16} p={{ base: 16, xs: 20 }}>
                <Group justify="space-between" gap="xs">
                  <Title order={3} size="h4">
                    {seller.username}
                  </Title>
                  <Text size="sm" c="dimmed">
                    <Trans>Since {formatDateTime(seller.since)}</Trans>
                  </Text>
                </Group>
                <Group gap="sm">
                  <Button
                    variant="default"
                    disabled={resuming.isPending}
                    aria-haspopup="dialog"
                    onClick={() => ask(seller)}
                  >
                    <Trans>Let {seller.username} sell</Trans>
                  </Button>
                  <RecordButton id={seller.id} username={seller.username} />
                </Group>
              </Surface>
            ))}
          </PlainList>
        )}
      </QueryContent>
    </Box>
  );
}
