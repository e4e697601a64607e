import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Feeds } from '#contract/oversight/sources.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { DataTable } from './data-table.tsx';
import { Panel } from './panel.tsx';
import { useFeeds } from './queries.ts';
import { SourceActions, SourcesHeader } from './source-actions.tsx';
import type { Column } from './table-types.ts';

type FeedRow = Feeds['feeds'][number];

/** The feeds of public codes: how their last readings went, and what can be done with them. */
export function FeedsPanel() {
  return (
    <section aria-labelledby="setting-feeds">
      <Title order={2} size="h4" id="setting-feeds" tabIndex={-1}>
        <Trans>Feeds</Trans>
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        <Trans>Where the public codes on Discover come from.</Trans>
      </Text>
      <Panel
        read={useFeeds()}
        failure={t`Failed to load the feeds`}
        skeleton={<Skeleton height={120} radius="md" aria-hidden="true" />}
      >
        {(list) => <FeedTable list={list} />}
      </Panel>
    </section>
  );
}

const when = (instant: string | null) => (instant === null ? t`Never` : formatDateTime(instant));

const COLUMNS: readonly Column<FeedRow>[] = [
  { title: t`Feed`, render: ({ name }) => <Text fw={600}>{name}</Text> },
  { title: t`State`, render: (row) => <State row={row} /> },
  { title: t`Coupons`, render: ({ offers }) => offers, isNumber: true },
  { title: t`Left out`, render: ({ refused }) => refused, isNumber: true },
  { title: t`Last run`, render: ({ triedAt }) => when(triedAt) },
  { title: t`Last success`, render: ({ readAt }) => when(readAt) },
  {
    title: t`Problem`,
    render: ({ problem }) => problem ?? t({ context: 'problem', message: 'None' }),
    isLong: true,
  },
];

function State({ row: { feed, problem, readAt } }: { row: FeedRow }) {
  if (feed?.isPaused) return <ToneBadge tone="neutral">{t`Paused`}</ToneBadge>;
  if (problem !== null) return <ToneBadge tone="danger">{t`Failing`}</ToneBadge>;
  if (readAt === null) return <ToneBadge tone="warning">{t`Waiting`}</ToneBadge>;
  return <ToneBadge tone="success">{t`OK`}</ToneBadge>;
}

function FeedTable({ list }: { list: Feeds }) {
  const { feeds, lockedBy, changeId } = list;
  const actions: Column<FeedRow> = {
    title: t`Actions`,
    render: (row) => <FeedActions row={row} follows={changeId} />,
  };
  return (
    <Stack gap="sm">
      <SourcesHeader
        name="feeds"
        list={list}
        addLabel={t`Add a feed`}
        onAdd={() => openDialog('feed', { follows: changeId })}
      />
      {feeds.length === 0 ? (
        <EmptyState
          title={t`No feeds`}
          text={t`Add one, and its codes appear on Discover within a minute.`}
          titleOrder={3}
        />
      ) : (
        <DataTable
          label={t`Feeds`}
          columns={lockedBy === null ? [...COLUMNS, actions] : COLUMNS}
          rows={feeds}
          rowKey={({ name }) => name}
        />
      )}
    </Stack>
  );
}

function FeedActions({ row, follows }: { row: FeedRow; follows: number | null }) {
  const { name, feed, offers } = row;
  const put = trpc.sources.putFeed.useMutation();
  const remove = trpc.sources.removeFeed.useMutation();
  if (!feed) return null;
  return (
    <SourceActions
      name={name}
      isPaused={feed.isPaused}
      onChange={() => openDialog('feed', { row, follows })}
      pausing={{
        text: t`We stop reading it. Its coupons stay on Discover until their last day.`,
        act: (isPaused) => put.mutateAsync({ feed: { ...feed, isPaused }, isNew: false, follows }),
      }}
      removing={{
        text: plural(offers, {
          0: 'It has no coupons on Discover.',
          one: 'We remove its # coupon from Discover immediately. People keep what they have imported.',
          other: 'We remove its # coupons from Discover immediately. People keep what they have imported.',
        }),
        act: () => remove.mutateAsync({ name, follows }),
      }}
    />
  );
}
