import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Tabs, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { LEADERBOARD_ADDRESS, leaderboardInput } from '#contract/base/first-answers.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { LeaderboardEntry } from '#contract/oversight/leaderboard.ts';
import {
  LEADERBOARD_CATEGORIES,
  type LeaderboardCategory,
} from '#contract/oversight/leaderboard-categories.ts';
import { PodiumDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Facts } from '#web/components/facts.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { useAddress } from '#web/lib/address.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { EntryRow, EntryRowSkeleton } from '#web/oversight/leaderboard/entry-row.tsx';
import classes from '#web/oversight/leaderboard/leaderboard.module.css';
import { CATEGORY_NAMES, RULES } from '#web/oversight/leaderboard/wording.ts';

export function Component() {
  return (
    <PageShell
      title={PAGES.leaderboard.title()}
      text={t`The most active members, and the ones others like to deal with.`}
      size="md"
    >
      <LeaderboardBrowser />
      <PointsGuide />
    </PageShell>
  );
}

/** The board in its five tabs; the tab is in the address. */
function LeaderboardBrowser() {
  const [{ tab: category }, change] = useAddress(LEADERBOARD_ADDRESS);
  return (
    <Tabs
      value={category}
      onChange={(value) => change({ tab: LEADERBOARD_CATEGORIES.find((name) => name === value) })}
    >
      <Tabs.List aria-label={t`What is counted`} mb="lg">
        {LEADERBOARD_CATEGORIES.map((name) => (
          <Tabs.Tab key={name} value={name} className={classes.tab}>
            {CATEGORY_NAMES[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={category}>
        <Board key={category} category={category} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Board({ category }: { category: LeaderboardCategory }) {
  const { user } = useViewer();
  const { input, paging } = usePagedList(PAGE_SIZES.leaderboard);
  const query = trpc.leaderboard.list.useQuery({ category, ...input }, KEEP_PAGE);
  // The best score is the full width of the bars on every page.
  const { data: first } = trpc.leaderboard.list.useQuery(leaderboardInput(category, 1));
  const entries = query.data?.items ?? [];
  const best = first?.items[0]?.score ?? entries[0]?.score ?? 0;
  const isOwn = ({ userId }: LeaderboardEntry) => userId === user?.id;
  return (
    <Stack gap="lg">
      <PagedList
        query={query}
        {...paging}
        label={t`Leaderboard`}
        errorTitle={t`Error loading the leaderboard`}
        errorText={TEXTS.leaderboard.loadFailed()}
        skeleton={<BoardSkeleton />}
        empty={<EmptyBoard />}
      >
        {(items) => (
          <>
            <VisuallyHidden>
              <Title order={2}>{CATEGORY_NAMES[category]}</Title>
            </VisuallyHidden>
            <PlainList
              component="ol"
              className={classes.list}
              aria-label={t`Leaderboard: ${CATEGORY_NAMES[category]}`}
            >
              {items.map((entry) => (
                <EntryRow
                  key={entry.userId}
                  entry={entry}
                  category={category}
                  best={best}
                  isOwn={isOwn(entry)}
                />
              ))}
            </PlainList>
          </>
        )}
      </PagedList>
      {user && entries.length > 0 && !entries.some(isOwn) && <OwnRow category={category} best={best} />}
    </Stack>
  );
}

/** The viewer's own row, shown where it is not on the current page. */
function OwnRow({ category, best }: { category: LeaderboardCategory; best: number }) {
  const { data: entry } = trpc.leaderboard.mine.useQuery({ category });
  if (!entry) return null;
  return (
    <section aria-labelledby="own-place">
      <Title order={2} size="h4" id="own-place" mb="sm">
        <Trans>Your place</Trans>
      </Title>
      <PlainList className={classes.list}>
        <EntryRow entry={entry} category={category} best={best} isOwn />
      </PlainList>
    </section>
  );
}

function EmptyBoard() {
  return (
    <EmptyState
      title={t`No one is on the leaderboard yet`}
      text={t`The first verified coupon, exchange or sale takes the first place.`}
      drawing={<PodiumDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  );
}

function BoardSkeleton() {
  return (
    <div className={classes.list}>
      <Repeat count={8}>
        <EntryRowSkeleton />
      </Repeat>
    </div>
  );
}

/** How points are counted. */
function PointsGuide() {
  return (
    <section className={classes.guide} aria-labelledby="points-guide">
      <Title order={2} size="h4" id="points-guide">
        <Trans>How points are counted</Trans>
      </Title>
      <Facts facts={RULES} className={classes.rules} />
    </section>
  );
}
