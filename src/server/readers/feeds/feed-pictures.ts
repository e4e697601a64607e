import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { internet } from '#server/providers/guarded-network.ts';
import { FeedRefusal } from './feeds.ts';
import { FETCH_LIMITS, type FetchLimits, guardedFetch } from './guarded-fetch.ts';

/** Fetches the pictures that feeds name. */
export interface FeedPictures {
  /** The bytes at an address, whatever they are. @throws FeedRefusal */
  fetch(url: string): Promise<Uint8Array>;
}

const LIMITS: FetchLimits = { ...FETCH_LIMITS, idleMs: 10_000, totalMs: 20_000, maxBytes: MAX_IMAGE_BYTES };

const HEADERS = { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' };

/** `setup` lets tests replace the network and its limits. */
export function openFeedPictures({ network = internet, limits = LIMITS } = {}): FeedPictures {
  return {
    async fetch(url) {
      const answer = await guardedFetch({ url, method: 'GET', headers: HEADERS }, limits, network);
      if (answer.isUnchanged)
        throw new FeedRefusal('Its server says that it has not changed, which was not asked.');
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}
