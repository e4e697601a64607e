import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { formatDay, formatNumber } from '#contract/base/locale.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { DailyRoot } from '#contract/oversight/proofs.ts';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './proofs.module.css';

/** The daily roots, the newest first. */
export function RootList() {
  const { input, paging } = usePagedList(PAGE_SIZES.roots);
  const query = trpc.proofs.roots.useQuery(input, KEEP_PAGE);
  return (
    <PagedList
      query={query}
      {...paging}
      label={t`Daily roots`}
      errorTitle={t`Error loading the daily roots`}
      skeleton={<Skeleton height={240} radius="md" />}
      empty={
        <Text>
          <Trans>The first one is made within the next hour.</Trans>
        </Text>
      }
    >
      {(roots) => (
        <PlainList gap={12}>
          {roots.map((root) => (
            <RootItem key={root.day} root={root} />
          ))}
        </PlainList>
      )}
    </PagedList>
  );
}

function RootItem({ root: { day, root, chains, journals } }: { root: DailyRoot }) {
  const [codes, bookings] = [formatNumber(chains), formatNumber(journals)];
  return (
    <Surface component="li" px={16} py={12}>
      <Stack gap={4}>
        <Text fw={600}>
          <time dateTime={day}>{formatDay(day)}</time>
        </Text>
        <Text className={classes.hash ?? ''} translate="no">
          {root}
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>
            Codes with something new: {codes}. Bookings in the ledger: {bookings}.
          </Trans>
        </Text>
      </Stack>
    </Surface>
  );
}
