import type { FeedOffer } from '#contract/coupons/discover.ts';

/** One row of a feed: an offer, or the problem with it. `line` is the line of a text, or the number of the row. */
export type FeedRow =
  | { readonly line: number; readonly offer: FeedOffer }
  | { readonly line: number; readonly problem: string };

/** What a feed wants back with the next request; opaque to everybody else. */
export interface FeedVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A fetched feed. `rows` can be read once; it throws FeedRefusal where reading fails. */
export type FetchedFeed =
  | { readonly isUnchanged: true }
  | { readonly isUnchanged: false; readonly version: FeedVersion; readonly rows: AsyncIterable<FeedRow> };

/** A feed of the settings. */
export interface Feed {
  readonly name: string;
  /** How long a fetched version counts as fresh. */
  readonly everyHours: number;
  /** Fetches it unless `known` is still current. @throws FeedRefusal */
  fetch(known: FeedVersion): Promise<FetchedFeed>;
}

/** Why a feed could not be read, in words for the operator; without addresses, because they hold keys. */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';
  /** Whether a later attempt may succeed: its server was down, slow or busy. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass = false } = {}) {
    super(message);
    this.mayPass = mayPass;
  }
}
