import type { FeedOffer } from '#contract/discover.ts';

const FIELDS = [
  'merchant',
  'code',
  'title',
  'description',
  'value',
  'discountType',
  'startDate',
  'expiryDate',
  'terms',
  'sourceUrl',
] as const satisfies readonly (keyof FeedOffer)[];

/** Whether two readings of an offer say the same: then nothing is written. */
export function isSameOffer(kept: Record<keyof FeedOffer, unknown>, read: FeedOffer): boolean {
  return FIELDS.every((field) => kept[field] === read[field]);
}

/** How long after the latest reading a feed is due again; a little less, so that an hourly job meets the hour. */
export function isDue(fetchedAt: Date | null, everyHours: number, now: Date): boolean {
  const SLACK_MS = 300_000;
  return fetchedAt === null || now.getTime() - fetchedAt.getTime() >= everyHours * 3_600_000 - SLACK_MS;
}
