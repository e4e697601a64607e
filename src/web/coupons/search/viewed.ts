import { VIEWED_MAX } from '#contract/coupons/limits.ts';
import { keyOf, readNewest, storeNewest, withSeen } from '#web/lib/viewer-storage.ts';

/* This browser keeps the ids of the coupons that were opened last, until the sign-out. The server does not know them. */

const keyFor = (userId: number | undefined) => keyOf(userId, 'viewed');

/** The ids of the coupons that this person has opened last here, the newest first. @param userId undefined: a visitor */
export function viewedIds(userId: number | undefined): readonly number[] {
  return readNewest(withSeen, keyFor(userId));
}

/** Remembers the coupon as the newest. */
export function rememberViewed(userId: number | undefined, id: number): void {
  storeViewed(userId, [id, ...viewedIds(userId).filter((other) => other !== id)]);
}

/** Forgets all but these. */
export function storeViewed(userId: number | undefined, ids: readonly number[]): void {
  storeNewest(withSeen, keyFor(userId), ids, VIEWED_MAX);
}
