import { Button, Stack, Text } from '@mantine/core';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { ListPagination } from '#web/components/list-pagination.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { usePageNumber } from '#web/lib/use-page-number.ts';
import { PAGE_SIZE, useRatingsOf } from './queries.ts';
import { RatingCard, RatingsSkeleton } from './rating-card.tsx';
import classes from './ratings.module.css';
import { StarDrawing } from './star-drawing.tsx';

/** What others say of a person, page by page. */
export function RatingsList({ userId, username }: { userId: number; username: string }) {
  const [page, setPage] = usePageNumber(PAGE_SIZE);
  const { data, error, isFetching, isPlaceholderData, refetch } = useRatingsOf(userId, { page });
  if (error && !data) {
    return (
      <ErrorState
        title="Error loading ratings"
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) return <RatingsSkeleton count={3} />;
  if (data.total === 0) {
    return (
      <EmptyState
        titleOrder={3}
        title="No ratings yet"
        text={`Whoever completes a deal with ${username} can rate it.`}
        drawing={<StarDrawing />}
      />
    );
  }
  return (
    <Stack>
      {data.items.length === 0 ? (
        <EmptyState
          titleOrder={3}
          title="This page of the list is empty now"
          action={<Button onClick={() => setPage(1)}>Back to the first page</Button>}
        />
      ) : (
        <ul
          className={`${classes.list} ${isPlaceholderData ? classes.stale : ''}`}
          aria-label={`Ratings of ${username}`}
          aria-busy={isPlaceholderData}
        >
          {data.items.map((rating) => (
            <RatingCard key={rating.id} rating={rating} />
          ))}
        </ul>
      )}
      <ListPagination {...data} page={page} pageSize={PAGE_SIZE} onChange={setPage} label="Ratings" />
    </Stack>
  );
}

/** How many of them an overview shows. */
const LATEST = 3;

/** The newest of the viewer's own. */
export function LatestRatings({ userId }: { userId: number }) {
  const { data, error, isFetching, refetch } = useRatingsOf(userId, { limit: LATEST });
  if (error && !data) {
    return (
      <ErrorState
        title="Error loading ratings"
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) return <RatingsSkeleton count={1} />;
  if (data.items.length === 0) {
    return (
      <EmptyState
        titleOrder={3}
        title="No ratings yet"
        text="After a completed deal both of you can rate it. Ratings appear here once both have, or after a week."
        drawing={<StarDrawing />}
      />
    );
  }
  return (
    <Stack gap="xs">
      <ul className={classes.list} aria-label="Latest ratings">
        {data.items.map((rating) => (
          <RatingCard key={rating.id} rating={rating} />
        ))}
      </ul>
      {data.total > LATEST && (
        <Text size="sm" c="dimmed">
          The others are on your public page.
        </Text>
      )}
    </Stack>
  );
}
