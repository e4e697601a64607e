import { sql } from 'kysely';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import { utcDay } from '#server/core/clock.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import type { FeedVersion } from '#server/readers/feeds/feeds.ts';
import { doubtOf } from './offer-score.ts';

/** An offer to store, with the keys of its code and merchant. */
export interface KeyedOffer extends FeedOffer {
  readonly identity: string;
  readonly merchantKey: string;
  /** Minutes that clocks are ahead of UTC where its last day ends last. */
  readonly lastDayOffset: number;
}

/** As SQL, the day of an instant where the last day of a feed's offer ends last. */
export function dayWhereItEnds(at: Date) {
  return sql<string>`((${at}::timestamptz at time zone 'UTC') + feed_offers.last_day_offset * interval '1 minute')::date`;
}

/** The columns that an offer is read into, with their types. */
const COLUMNS = {
  merchant: 'text',
  code: 'text',
  title: 'text',
  description: 'text',
  value: 'integer',
  discountType: 'text',
  isValueRead: 'boolean',
  startDate: 'date',
  expiryDate: 'date',
  endTime: 'text',
  regions: 'text[]',
  terms: 'text',
  sourceUrl: 'text',
  imageUrl: 'text',
} as const satisfies Record<keyof FeedOffer, string>;

export const OFFER_FIELDS = Object.keys(COLUMNS) as (keyof FeedOffer)[];

/**
 * Takes a feed that is due for one reading, so that no other process begins one: never tried, tried before `settledBefore`,
 * or before `failedBefore` where that reading did not end well.
 * @returns its version; undefined if it is not due
 */
export function takeFeed(
  db: Database,
  given: { name: string; at: Date; settledBefore: Date; failedBefore: Date },
) {
  const { name, at, settledBefore, failedBefore } = given;
  return db
    .insertInto('feeds')
    .values({ name, triedAt: at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ triedAt: at })
        .where(({ or, and, ref, eb }) =>
          or([
            eb('feeds.triedAt', 'is', null),
            eb('feeds.triedAt', '<=', settledBefore),
            and([
              eb('feeds.triedAt', '<=', failedBefore),
              or([
                eb('feeds.problem', 'is not', null),
                eb('feeds.fetchedAt', 'is', null),
                eb('feeds.fetchedAt', '<', ref('feeds.triedAt')),
              ]),
            ]),
          ]),
        ),
    )
    .returning(['etag', 'lastModified'])
    .executeTakeFirst();
}

/** Starts a reading and ends an older one that is still running. @returns the run's number */
export async function startRun(db: Database, name: string): Promise<number> {
  const row = await db
    .insertInto('feeds')
    .values({ name, run: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ run: ({ ref }) => sql<number>`${ref('feeds.run')} + 1` }),
    )
    .returning('run')
    .executeTakeFirstOrThrow();
  return row.run;
}

/** Whether a reading is still the latest. Keeps it the latest until the transaction ends. */
export async function lockIfLatest(trx: Trx, { name, run }: { name: string; run: number }): Promise<boolean> {
  const row = await trx
    .selectFrom('feeds')
    .select('run')
    .where('name', '=', name)
    .forShare()
    .executeTakeFirst();
  return row?.run === run;
}

/**
 * The stored offers with these identities, each looked up by itself: PostgreSQL would rather read a table of up to 60,000
 * offers as a whole, for every batch.
 */
export function findStored(trx: Trx, identities: readonly string[]) {
  return trx
    .selectFrom(sql<{ wanted: string }>`unnest(${identities}::text[])`.as<'given'>(sql`given (wanted)`))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('feedOffers')
          .select(['id', 'identity', 'feed', ...OFFER_FIELDS])
          .whereRef('identity', '=', 'given.wanted')
          .offset(sql<number>`0`)
          .as('stored'),
      (join) => join.onTrue(),
    )
    .selectAll('stored')
    .execute();
}

interface Writing {
  readonly name: string;
  readonly at: Date;
}

const KEYED = { identity: 'text', merchantKey: 'text', lastDayOffset: 'smallint', ...COLUMNS };
/** The columns of `feed_offers`, and the fields of `given` in the same order. */
const WRITTEN = sql.join(Object.keys(KEYED).map((name) => sql.ref(name)));
const READ = sql.raw(
  Object.keys(KEYED)
    .map((name) => `given."${name}"`)
    .join(', '),
);
const TYPES = sql.raw(
  Object.entries(KEYED)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', '),
);

/** Offers as rows in one JSON parameter: thousands of parameters would take longer than the write itself. */
function given(offers: readonly KeyedOffer[]) {
  return sql`jsonb_to_recordset(${JSON.stringify(offers)}::jsonb) as given (${TYPES})`;
}

const NO_ANSWERS = doubtOf({ worked: 0, failed: 0 });

/** Adds new offers, with what was said of their codes before. @returns the added ones; offers that another feed has added meanwhile are left out */
export async function insertOffers(
  trx: Trx,
  { name, at }: Writing,
  offers: readonly KeyedOffer[],
): Promise<{ id: number; identity: string }[]> {
  if (offers.length === 0) return [];
  const inserted = await sql<{ id: number; identity: string }>`
    insert into feed_offers (feed, created_at, updated_at, doubt, ${WRITTEN})
    select ${name}, ${at}::timestamptz, ${at}::timestamptz,
      coalesce((select doubt from offer_scores where code_hash = given."identity"), ${NO_ANSWERS}), ${READ}
    from ${given(offers)}
    on conflict (identity) do nothing
    returning id, identity`.execute(trx);
  return inserted.rows;
}

/** Updates the feed's own offers. */
export async function updateOffers(
  trx: Trx,
  { name, at }: Writing,
  offers: readonly KeyedOffer[],
): Promise<void> {
  if (offers.length === 0) return;
  await sql`
    update feed_offers set (updated_at, ${WRITTEN}) = row (${at}::timestamptz, ${READ})
    from ${given(offers)}
    where feed_offers.identity = given."identity" and feed_offers.feed = ${name}`.execute(trx);
}

/** How many ids are read at once. */
const FETCHED = 10_000;

/**
 * The ids of a feed's offers that are not among `seen`, in order. Read with a cursor: each page of a table without
 * statistics would be sorted from all that is left.
 */
export function unseenIds(
  db: Database,
  { name, seen }: { name: string; seen: ReadonlySet<number> },
): Promise<number[]> {
  return inTransaction(db, async (trx) => {
    await sql`declare stored no scroll cursor for select id from feed_offers where feed = ${name}`.execute(
      trx,
    );
    const unseen: number[] = [];
    for (;;) {
      const { rows } = await sql<{ id: number }>`fetch ${sql.lit(FETCHED)} from stored`.execute(trx);
      if (rows.length === 0) return unseen.toSorted((one, other) => one - other);
      for (const { id } of rows) if (!seen.has(id)) unseen.push(id);
    }
  });
}

/** @param ids in order */
export async function deleteOffers(trx: Trx, ids: readonly number[]): Promise<void> {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return;
  // The range, so that each batch reads its own part of the table and not all of it.
  await sql`delete from feed_offers where id between ${first} and ${last} and id = any(${ids}::integer[])`.execute(
    trx,
  );
}

/** Removes up to `limit` offers that expired before `today`. @returns how many */
export async function deleteExpired(
  db: Database,
  { today, limit }: { today: string; limit: number },
): Promise<number> {
  const result = await sql`
    delete from feed_offers where id in (
      select id from feed_offers where expiry_date < ${today} order by expiry_date limit ${limit})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0);
}

/** Stores the end of a complete reading. */
export async function endRun(
  trx: Trx,
  {
    name,
    version,
    at,
    offers,
    refused,
  }: { name: string; version: FeedVersion; at: Date; offers: number; refused: number },
): Promise<void> {
  await trx
    .updateTable('feeds')
    .set({ ...version, fetchedAt: at, problem: null, offers, refused })
    .where('name', '=', name)
    .execute();
}

/** Stores that a feed has not changed. */
export async function markUnchanged(db: Database, name: string, at: Date): Promise<void> {
  await db.updateTable('feeds').set({ fetchedAt: at, problem: null }).where('name', '=', name).execute();
}

/** Stores why a feed could not be read. */
export async function markProblem(db: Database, name: string, problem: string): Promise<void> {
  await db.updateTable('feeds').set({ problem }).where('name', '=', name).execute();
}

/**
 * Counts each merchant's current offers and stores the counts that changed, so that lists need not count. One
 * statement, about a third of a second for a million offers.
 */
export async function recountMerchants(db: Database, at: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`
      with counted as (
        select merchant_key as key, min(merchant collate "C") as name, count(*)::integer as offers
        from feed_offers
        where (start_date is null or start_date <= ${utcDay(at)})
          and (expiry_date is null or expiry_date >= ${dayWhereItEnds(at)})
        group by merchant_key
      ), gone as (
        delete from feed_merchants where not exists (select from counted where counted.key = feed_merchants.key)
      )
      insert into feed_merchants (key, name, offers)
      select key, name, offers from counted
      where not exists (
        select from feed_merchants as kept
        where kept.key = counted.key and kept.name = counted.name and kept.offers = counted.offers)
      order by key
      on conflict (key) do update set name = excluded.name, offers = excluded.offers`.execute(trx);
  });
}
