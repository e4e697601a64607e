import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { ratingsInput } from '#contract/base/first-answers.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { paths } from '#contract/base/pages.ts';
import type { Rating } from '#contract/deals/ratings.ts';
import { StarDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDate } from '#web/lib/format.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './ratings.module.css';
import { ofTen, Stars } from './stars.tsx';

/** A person's ratings, page by page. */
export function RatingsList({ userId, username }: { userId: number; username: string }) {
  const { input, paging } = usePagedList(PAGE_SIZES.ratings);
  const query = trpc.ratings.ofUser.useQuery({ id: userId, ...input }, KEEP_PAGE);
  return (
    <PagedList
      query={query}
      {...paging}
      label={t`Ratings`}
      gap="md"
      errorTitle={t`Error loading ratings`}
      skeleton={<RatingsSkeleton count={3} />}
      empty={
        <EmptyState
          titleOrder={3}
          title={t`No ratings yet`}
          text={t`Anyone who completes a deal with ${username} can rate it.`}
          drawing={<StarDrawing />}
        />
      }
    >
      {(ratings) => <Ratings label={t`Ratings of ${username}`} ratings={ratings} />}
    </PagedList>
  );
}

function Ratings({ label, ratings }: { label: string; ratings: readonly Rating[] }) {
  return (
    <PlainList gap={12} aria-label={label}>
      {ratings.map((rating) => (
        <RatingCard key={rating.id} rating={rating} />
      ))}
    </PlainList>
  );
}

/** The number of ratings in the overview. */
const LATEST = 3;

/** The viewer's newest ratings. */
export function LatestRatings({ userId }: { userId: number }) {
  const query = trpc.ratings.ofUser.useQuery(ratingsInput(userId, 1, LATEST));
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading ratings`}
      skeleton={<RatingsSkeleton count={1} />}
    >
      {({ items, total }) =>
        items.length === 0 ? (
          <EmptyState
            titleOrder={3}
            title={t`No ratings yet`}
            text={t`When a deal is complete, you can both rate it. Ratings appear here once you both have, or after a week.`}
            drawing={<StarDrawing />}
          />
        ) : (
          <Stack gap="xs">
            <Ratings label={t`Latest ratings`} ratings={items} />
            {total > LATEST && (
              <Text size="sm" c="dimmed">
                <Trans>See the others on your public page.</Trans>
              </Text>
            )}
          </Stack>
        )
      }
    </QueryContent>
  );
}

/** A rating with its comment: 'mia, 9 of 10'. */
function RatingCard({ rating }: { rating: Rating }) {
  return (
    <Surface component="li" gap={6} bdrs="md">
      <div className={classes.head}>
        <Link to={paths.user(rating.raterId)} className={classes.who}>
          <UserAvatar
            username={rating.raterUsername}
            profileImageUrl={rating.raterProfileImageUrl}
            size={32}
          />
          {rating.raterUsername}
        </Link>
        <Text size="sm" c="dimmed">
          {rating.dealType === 'exchange'
            ? t`after an exchange, ${formatDate(rating.createdAt)}`
            : t`after a sale, ${formatDate(rating.createdAt)}`}
        </Text>
        <span className={classes.score}>
          <Stars rating={rating.rating} />
          {ofTen(rating.rating)}
        </span>
      </div>
      {rating.comment && (
        <p className={classes.comment} dir="auto">
          {rating.comment}
        </p>
      )}
    </Surface>
  );
}

/** Ratings while they load. */
export function RatingsSkeleton({ count }: { count: number }) {
  return (
    <Stack gap={12}>
      <Repeat count={count}>
        <Surface gap={6} bdrs="md">
          <div className={classes.head}>
            <Skeleton height={32} width={32} circle my={6} />
            <Skeleton height={16} width={110} />
            <Skeleton height={16} width={180} />
          </div>
          <Skeleton height={16} width="70%" my={4} />
        </Surface>
      </Repeat>
    </Stack>
  );
}
