import { isDeepStrictEqual } from 'node:util';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import type { Context } from '#server/context/context.ts';
import { merchantKey } from '#server/core/text.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { dayAt, lastDayOffset } from '#server/coupons/core/last-day.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { FeedRefusal, type FeedRow, type FeedVersion } from '#server/readers/feeds/feeds.ts';
import * as store from './feeds-store.ts';

/** How many rows are written at once. */
const BATCH = 500;
/** How many offers that the feed has dropped are removed at once. */
const IDS_AT_ONCE = 5_000;

export interface FeedImport {
  readonly name: string;
  readonly rows: AsyncIterable<FeedRow>;
  /** Sent with the feed's next request; none for a file from the command line. */
  readonly version?: FeedVersion;
  /** Called after every batch with the number of rows read. */
  readonly onProgress?: (rows: number) => void;
  /** Called for each refused row with the reason; the reason does not contain the code. */
  readonly onRefused?: (line: number, reason: string) => void;
}

/** How many offers were added, changed and so on. */
export interface ImportTotals {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Offers that the feed no longer has. */
  readonly removed: number;
}

type Row = Extract<FeedRow, { offer: FeedOffer }>;

/**
 * Imports a feed row by row, in bounded memory. Writes only new and changed offers. After the last row, removes the
 * offers that the feed no longer has. A code that another feed brought first stays with that feed.
 * @throws FeedRefusal if the reading breaks off, finds no offer, or another reading of the feed has started. What was
 *   written until then stays, and nothing is removed
 */
export async function importFeed(ctx: Context, given: FeedImport): Promise<ImportTotals> {
  const { name, rows, version = { etag: null, lastModified: null }, onProgress } = given;
  const run = await store.startRun(ctx.db, name);
  const reading = createReading(ctx, given, run);
  let batch: Row[] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if ('problem' in row) reading.refuse(row.line, row.problem);
    else if (batch.push(row) === BATCH) {
      await reading.write(batch);
      batch = [];
      onProgress?.(count);
    }
  }
  await reading.write(batch);
  onProgress?.(count);
  const { seen, totals } = reading;
  // A broken page or renamed fields are more likely than a feed that has lost all its offers.
  if (seen.size === 0 && !reading.hasShared())
    throw new FeedRefusal(`None of its ${count} rows is an offer; what it had before is kept.`);
  const removed = await removeUnseen(ctx, { name, run, seen });
  await store.recountMerchants(ctx.db, ctx.clock());
  await whileLatest(ctx, { name, run }, (trx) =>
    store.endRun(trx, { name, version, at: ctx.clock(), offers: seen.size, refused: totals.refused }),
  );
  return { ...totals, removed };
}

/** The state of one reading. */
function createReading(ctx: Context, { name, onRefused }: FeedImport, run: number) {
  const now = ctx.clock();
  /** Ids of the feed's offers: only a number each, since there may be a million. */
  const seen = new Set<number>();
  const totals = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  let hasShared = false;
  const refuse = (line: number, reason: string) => {
    totals.refused += 1;
    onRefused?.(line, reason);
  };

  /** The valid rows of a batch by identity; of two rows with the same code the first counts. */
  function keyed(batch: readonly Row[]): Map<string, Row & { offer: store.KeyedOffer }> {
    const byIdentity = new Map<string, Row & { offer: store.KeyedOffer }>();
    for (const { line, offer } of batch) {
      const identity = codeFingerprint(ctx.vault, offer.merchant, offer.code);
      const offset = lastDayOffset({ ...offer, timeZone: null });
      if (offer.expiryDate !== null && offer.expiryDate < dayAt(now, offset))
        refuse(line, `It expired on ${offer.expiryDate}`);
      else if (byIdentity.has(identity)) refuse(line, 'Its code has come before in this feed');
      else
        byIdentity.set(identity, {
          line,
          offer: { ...offer, identity, merchantKey: merchantKey(offer.merchant), lastDayOffset: offset },
        });
    }
    return byIdentity;
  }

  /** `hasShared`: whether an offer has a code that another feed brought first. */
  return { seen, totals, refuse, write, hasShared: () => hasShared };

  async function write(batch: readonly Row[]): Promise<void> {
    const rows = keyed(batch);
    if (rows.size === 0) return;
    const outcome = await whileLatest(ctx, { name, run }, async (trx) => {
      const kept = new Map((await store.findStored(trx, [...rows.keys()])).map((row) => [row.identity, row]));
      const offers = [...rows.values()].map(({ offer }) => offer);
      const fresh = offers.filter(({ identity }) => !kept.has(identity));
      const changed = offers.filter((offer) => {
        const row = kept.get(offer.identity);
        return row?.feed === name && !seen.has(row.id) && !isSameOffer(row, offer);
      });
      const writing = { name, at: ctx.clock() };
      const added = await store.insertOffers(trx, writing, fresh);
      await store.updateOffers(trx, writing, changed);
      return { kept, changed: changed.length, added };
    });
    totals.added += outcome.added.length;
    totals.changed += outcome.changed;
    const addedIds = new Map(outcome.added.map(({ id, identity }) => [identity, id]));
    let known = 0;
    for (const [identity, { line }] of rows) {
      const row = outcome.kept.get(identity);
      const id = addedIds.get(identity);
      if (id !== undefined) seen.add(id);
      else if (row?.feed !== name) {
        hasShared = true;
        refuse(line, `Another feed has its code${row ? `: ${row.feed}` : ''}`);
      } else if (seen.has(row.id)) refuse(line, 'Its code has come before in this feed');
      else {
        seen.add(row.id);
        known += 1;
      }
    }
    totals.unchanged += known - outcome.changed;
  }
}

/** Runs a transaction of a reading. @throws FeedRefusal if another reading has started since */
function whileLatest<Result>(
  ctx: Context,
  reading: { name: string; run: number },
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await store.lockIfLatest(trx, reading))) throw new FeedRefusal('Another reading of it has begun.');
    return work(trx);
  });
}

/** Removes the feed's offers that this reading has not seen, in batches. @returns how many */
async function removeUnseen(
  ctx: Context,
  { name, run, seen }: { name: string; run: number; seen: ReadonlySet<number> },
): Promise<number> {
  const unseen = await store.unseenIds(ctx.db, { name, seen });
  for (let start = 0; start < unseen.length; start += IDS_AT_ONCE) {
    const ids = unseen.slice(start, start + IDS_AT_ONCE);
    await whileLatest(ctx, { name, run }, (trx) => store.deleteOffers(trx, ids));
  }
  return unseen.length;
}

/** Whether a stored offer equals the one just read, so that nothing needs to be written. */
function isSameOffer(kept: Record<keyof FeedOffer, unknown>, read: FeedOffer): boolean {
  return store.OFFER_FIELDS.every((field) => isDeepStrictEqual(kept[field], read[field]));
}
