import type { FeedOffer } from '#contract/discover.ts';

/** One row of a feed: an offer, or why it is none. `line` is that of a text, or the number of the row. */
export type FeedRow =
  | { readonly line: number; readonly offer: FeedOffer }
  | { readonly line: number; readonly problem: string };

/** What a feed gave to be sent back the next time; only the feed itself reads it. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A fetched feed; `rows` is read once, row by row, and throws FeedRefusal where the reading breaks off. */
export type FetchedFeed =
  | { readonly isUnchanged: true }
  | { readonly isUnchanged: false; readonly version: FeedVersion; readonly rows: AsyncIterable<FeedRow> };

/** A feed of the settings. */
export interface Feed {
  readonly name: string;
  /** So long a fetched one is new enough. */
  readonly everyHours: number;
  /** Fetches it unless it is still `known`. @throws FeedRefusal */
  fetch(known: FeedVersion): Promise<FetchedFeed>;
}

/** Why a feed could not be read, in words for the operator; without addresses, which hold keys. */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';
}
