import type Stripe from 'stripe';

/** A list of Stripe's, all on one page. */
export function listOf<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}

/** One page of a list. @param oldestFirst as they were made; Stripe answers the newest first */
export function pageOf<T extends { id: string }>(
  oldestFirst: readonly T[],
  { limit, starting_after: after }: { limit: number; starting_after?: string | undefined },
  url: string,
): Stripe.ApiList<T> {
  const all = [...oldestFirst].reverse();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < all.length, url };
}
