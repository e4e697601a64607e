import { IconStarFilled } from '@tabler/icons-react';
import { RATING_HIDDEN_DAYS, RATING_MAX } from '#contract/ratings.ts';
import classes from './ratings.module.css';

/** '9 of 10' */
export function ofTen(rating: number): string {
  return `${rating} of ${RATING_MAX}`;
}

/** '8.6 of 10 from 12 ratings'. A mean always has its one decimal. */
export function meanText(average: number | null, count: number): string {
  if (average === null || count === 0) return 'No ratings yet';
  return `${average.toFixed(1)} of ${RATING_MAX} from ${count} ${count === 1 ? 'rating' : 'ratings'}`;
}

/** What is said of one's own rating while nobody else sees it. */
export const HIDDEN_UNTIL = `It is shown once both have rated, or after ${RATING_HIDDEN_DAYS} days.`;

const STARS = Array.from({ length: RATING_MAX }, (_, index) => index + 1);

/** A rating as ten stars, filled as far as it goes. The words beside it say the same. */
export function Stars({ rating, size = 14 }: { rating: number; size?: number }) {
  const row = STARS.map((star) => <IconStarFilled key={star} size={size} />);
  return (
    <span className={classes.stars} aria-hidden="true">
      <span className={classes.faint}>{row}</span>
      <span className={classes.filled} style={{ width: `${(rating / RATING_MAX) * 100}%` }}>
        {row}
      </span>
    </span>
  );
}

/** What others say of somebody, on average: '8.6 of 10 from 12 ratings'. */
export function RatingSummary({ average, count }: { average: number | null; count: number }) {
  return (
    <span className={classes.score}>
      {average !== null && <Stars rating={average} size={16} />}
      {meanText(average, count)}
    </span>
  );
}
