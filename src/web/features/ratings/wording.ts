import { RATING_HIDDEN_DAYS, RATING_MAX } from '#contract/ratings.ts';

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
