import { Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import type { Rating } from '#contract/ratings.ts';
import { Repeat } from '#web/components/repeat.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDate } from '#web/lib/format.ts';
import classes from './ratings.module.css';
import { Stars } from './stars.tsx';
import { ofTen } from './wording.ts';

/** A rating with its words: 'mia, 9 of 10'. */
export function RatingCard({ rating }: { rating: Rating }) {
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <Link to={paths.user(rating.raterId)} className={classes.who}>
          <UserAvatar username={rating.raterUsername} size={32} />
          {rating.raterUsername}
        </Link>
        <Text size="sm" c="dimmed">
          after {rating.dealType === 'exchange' ? 'an exchange' : 'a sale'}, {formatDate(rating.createdAt)}
        </Text>
        <span className={classes.score}>
          <Stars rating={rating.rating} />
          {ofTen(rating.rating)}
        </span>
      </div>
      {rating.comment && <p className={classes.comment}>{rating.comment}</p>}
    </li>
  );
}

/** Ratings that are still coming. */
export function RatingsSkeleton({ count }: { count: number }) {
  return (
    <div className={classes.list}>
      <Repeat count={count}>
        <div className={classes.card}>
          <div className={classes.head}>
            <Skeleton height={32} width={32} circle my={6} />
            <Skeleton height={16} width={110} />
            <Skeleton height={16} width={180} />
          </div>
          <Skeleton height={16} width="70%" my={4} />
        </div>
      </Repeat>
    </div>
  );
}
