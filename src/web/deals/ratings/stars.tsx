import { t } from '@lingui/core/macro';
import { IconStarFilled } from '@tabler/icons-react';
import { RATING_MAX } from '#contract/base/bounds.ts';
import { RATING_HIDDEN_DAYS } from '#contract/deals/ratings.ts';
import { ratingText } from '#web/lib/format.ts';
import classes from './ratings.module.css';

/** '9 of 10' */
export function ofTen(rating: number): string {
  return t`${rating} of ${RATING_MAX}`;
}

/** Shown with the viewer's own rating while it is hidden. */
export const HIDDEN_UNTIL = t`It appears once you have both rated, or after ${RATING_HIDDEN_DAYS} days.`;

const STARS = Array.from({ length: RATING_MAX }, (_, index) => index + 1);

/** A rating as ten stars. Hidden from screen readers: the text beside it says the same. */
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

/** A person's average rating: '8.6 of 10 from 12 people'. */
export function RatingSummary({ average, count }: { average: number | null; count: number }) {
  return (
    <span className={classes.score}>
      {average !== null && <Stars rating={average} size={16} />}
      {ratingText(average, count)}
    </span>
  );
}
