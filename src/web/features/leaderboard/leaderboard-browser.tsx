import { Button, Stack, Tabs, Title, VisuallyHidden } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { LEADERBOARD_CATEGORIES, type LeaderboardCategory } from '#contract/leaderboard.ts';
import { TEXTS } from '#contract/texts.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { ListPagination } from '#web/components/list-pagination.tsx';
import { paths } from '#web/lib/paths.ts';
import { usePageNumber } from '#web/lib/use-page-number.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { PodiumDrawing } from './drawings.tsx';
import { EntryRow, EntryRowSkeleton } from './entry-row.tsx';
import classes from './leaderboard.module.css';
import { changeCategory, readCategory } from './leaderboard-address.ts';
import { PAGE_SIZE, useLeaderboard, useOwnEntry } from './queries.ts';
import { CATEGORY_NAMES } from './wording.ts';

/** The board in its five tabs; the address says which. */
export function LeaderboardBrowser() {
  const [params, setParams] = useSearchParams();
  const category = readCategory(params);
  return (
    <Tabs
      value={category}
      onChange={(tab) => setParams((now) => changeCategory(now, tab), { preventScrollReset: true })}
    >
      <Tabs.List aria-label="What is counted" mb="lg" className={classes.tabs}>
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
  const [page, setPage] = usePageNumber(PAGE_SIZE);
  const { data, error, isFetching, isPlaceholderData, refetch } = useLeaderboard(category, page);
  // Whoever is first of all is the measure of every page's bars.
  const first = useLeaderboard(category, 1).data?.items[0];
  if (error && !data) {
    return (
      <ErrorState
        title="Error loading the leaderboard"
        message={TEXTS.leaderboard.loadFailed}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) return <BoardSkeleton />;
  if (data.items.length === 0) return <NobodyHere isFirstPage={page === 1} onFirst={() => setPage(1)} />;
  const best = first?.score ?? data.items[0]?.score ?? 0;
  const isHere = data.items.some(({ userId }) => userId === user?.id);
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={2}>{CATEGORY_NAMES[category]}</Title>
      </VisuallyHidden>
      <ol
        className={`${classes.list} ${isPlaceholderData ? classes.stale : ''}`}
        aria-label={`Leaderboard: ${CATEGORY_NAMES[category]}`}
        aria-busy={isPlaceholderData}
      >
        {data.items.map((entry) => (
          <EntryRow
            key={entry.userId}
            entry={entry}
            category={category}
            best={best}
            isOwn={entry.userId === user?.id}
          />
        ))}
      </ol>
      <ListPagination {...data} page={page} pageSize={PAGE_SIZE} onChange={setPage} label="Leaderboard" />
      {user && !isHere && <OwnPlace category={category} best={best} />}
    </Stack>
  );
}

/** The viewer's own place, where it is not among those on screen. */
function OwnPlace({ category, best }: { category: LeaderboardCategory; best: number }) {
  const { data: entry } = useOwnEntry(category, true);
  if (!entry) return null;
  return (
    <section aria-labelledby="own-place">
      <Title order={2} size="h4" id="own-place" mb="sm">
        Your place
      </Title>
      <ul className={classes.list}>
        <EntryRow entry={entry} category={category} best={best} isOwn />
      </ul>
    </section>
  );
}

function NobodyHere({ isFirstPage, onFirst }: { isFirstPage: boolean; onFirst: () => void }) {
  if (!isFirstPage) {
    return (
      <EmptyState
        title="Nobody is on this page"
        drawing={<PodiumDrawing />}
        action={<Button onClick={onFirst}>Back to the first page</Button>}
      />
    );
  }
  return (
    <EmptyState
      title="Nobody is on the board yet"
      text="The first verified coupon, exchange or sale takes the first place."
      drawing={<PodiumDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          Browse Coupons
        </Button>
      }
    />
  );
}

function BoardSkeleton() {
  return (
    <div className={classes.list} aria-busy="true">
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((row) => (
        <EntryRowSkeleton key={row} />
      ))}
    </div>
  );
}
