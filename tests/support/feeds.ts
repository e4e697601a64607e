import type { FeedOffer } from '#contract/coupons/discover.ts';
import type { FeedRow } from '#server/readers/feeds/feeds.ts';
import { readRows } from '#server/readers/feeds/rows.ts';
import type { FeedReading } from '#server/readers/feeds/settings.ts';

let counter = 0;

/** A feed's offer with a new code. */
export function aFeedOffer(given: Partial<FeedOffer> = {}): FeedOffer {
  counter += 1;
  return {
    merchant: 'Acme',
    code: `CODE${counter}`,
    title: 'Ten off',
    description: 'Ten per cent off everything',
    value: 1_000,
    discountType: 'percentage',
    startDate: null,
    isValueRead: false,
    expiryDate: null,
    endTime: null,
    regions: [],
    terms: 'Once per person',
    sourceUrl: 'https://acme.example/',
    imageUrl: null,
    ...given,
  };
}

/** Yields rows of a feed, from line 1; a string is a problem of its row. */
export async function* feedRows(...offers: readonly (FeedOffer | string)[]): AsyncGenerator<FeedRow> {
  for (const [index, offer] of offers.entries()) {
    const line = index + 1;
    yield typeof offer === 'string' ? { line, problem: offer } : { line, offer };
  }
}

/** Reads all rows from these bytes. @throws FeedRefusal */
export async function readFeedBytes(
  chunks: AsyncIterable<Uint8Array>,
  reading: FeedReading,
): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for await (const row of readRows(chunks, reading)) rows.push(row);
  return rows;
}

/** Reads all rows from a text, in small pieces that split characters and rows. */
export function readFeedText(text: string, reading: FeedReading): Promise<FeedRow[]> {
  async function* pieces() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  return readFeedBytes(pieces(), reading);
}

/** Reads the only offer of a text. @throws if there is not exactly one */
export async function readOnlyOffer(text: string, reading: FeedReading): Promise<FeedOffer> {
  const rows = await readFeedText(text, reading);
  const [row] = rows;
  if (rows.length !== 1 || !row || 'problem' in row)
    throw new Error(
      `Not one offer: ${JSON.stringify(rows.map((other) => ('problem' in other ? other : other.line)))}`,
    );
  return row.offer;
}
