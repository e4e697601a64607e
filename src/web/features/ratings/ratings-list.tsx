import { Stack, Text } from '@mantine/core';
import type { Rating } from '#contract/ratings.ts';
import { StarDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { usePageNumber } from '#web/lib/use-page-number.ts';
import { PAGE_SIZE, useRatingsOf } from './queries.ts';
import { RatingCard, RatingsSkeleton } from './rating-card.tsx';
import classes from './ratings.module.css';

/** What others say of a person, page by page. */
export function RatingsList({ userId, username }: { userId: number; username: string }) {
  const [page, setPage] = usePageNumber(PAGE_SIZE);
  return (
    <PagedList
      query={useRatingsOf(userId, { page })}
      page={page}
      pageSize={PAGE_SIZE}
      onChange={setPage}
      label="Ratings"
      gap="md"
      errorTitle="Error loading ratings"
      skeleton={<RatingsSkeleton count={3} />}
      empty={
        <EmptyState
          titleOrder={3}
          title="No ratings yet"
          text={`Whoever completes a deal with ${username} can rate it.`}
          drawing={<StarDrawing />}
        />
      }
    >
      {(ratings) => <Ratings label={`Ratings of ${username}`} ratings={ratings} />}
    </PagedList>
  );
}

function Ratings({ label, ratings }: { label: string; ratings: readonly Rating[] }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {ratings.map((rating) => (
        <RatingCard key={rating.id} rating={rating} />
      ))}
    </ul>
  );
}

/** How many of them an overview shows. */
const LATEST = 3;

/** The newest of the viewer's own. */
export function LatestRatings({ userId }: { userId: number }) {
  return (
    <QueryContent
      query={useRatingsOf(userId, { limit: LATEST })}
      errorTitle="Error loading ratings"
      skeleton={<RatingsSkeleton count={1} />}
    >
      {({ items, total }) =>
        items.length === 0 ? (
          <EmptyState
            titleOrder={3}
            title="No ratings yet"
            text="After a completed deal both of you can rate it. Ratings appear here once both have, or after a week."
            drawing={<StarDrawing />}
          />
        ) : (
          <Stack gap="xs">
            <Ratings label="Latest ratings" ratings={items} />
            {total > LATEST && (
              <Text size="sm" c="dimmed">
                The others are on your public page.
              </Text>
            )}
          </Stack>
        )
      }
    </QueryContent>
  );
}
