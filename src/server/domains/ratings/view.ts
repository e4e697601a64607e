import type { Rating } from '#contract/ratings.ts';
import { notFound } from '#server/core/errors.ts';
import type { RatingRow } from './store.ts';

/** Whether anybody but its writer can see a rating (decisions 5.5). */
export function isVisible({ visibleAt }: Pick<RatingRow, 'visibleAt'>, at: Date): boolean {
  return visibleAt <= at;
}

/**
 * A rating for somebody who may see it.
 * @param viewerId null for anybody
 * @throws AppError not_found for everybody but its writer while it is hidden
 */
export function toRating(row: RatingRow, viewerId: number | null, at: Date): Rating {
  const { visibleAt: _, createdAt, ...rating } = row;
  if (!isVisible(row, at) && row.raterId !== viewerId) throw notFound('Rating');
  return { ...rating, isVisible: isVisible(row, at), createdAt: createdAt.toISOString() };
}
