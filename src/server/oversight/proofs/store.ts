import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { LEAVES_IN_GROUP } from '#contract/oversight/proof-lines.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import type { RootedChain } from './hashing.ts';

/**
 * The id of the newest journal. All journals up to it are committed: writers of the ledger are waited for, and wait, for a
 * moment. Call it in a transaction that does nothing else.
 */
export async function endOfJournals(trx: Trx): Promise<number> {
  await sql`lock table ledger_journals in share mode`.execute(trx);
  const { end } = await trx
    .selectFrom('ledgerJournals')
    .select(sql<number>`coalesce(max(id), 0)`.as('end'))
    .executeTakeFirstOrThrow();
  return end;
}

/** Until the transaction ends, nobody else makes a root. */
export async function lockRoots(trx: Trx): Promise<void> {
  await sql`lock table proof_roots in share row exclusive mode`.execute(trx);
}

export async function countJournals(db: Database | Trx, end: number): Promise<number> {
  const { count } = await db
    .selectFrom('ledgerJournals')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('id', '<=', end)
    .executeTakeFirstOrThrow();
  return count;
}

/** Journals with ids above `after` and up to `end`, each as the line that is hashed. Their columns are named: others may come. */
export async function listJournalLines(
  db: Database | Trx,
  { after, end, limit }: { after: number; end: number; limit: number },
): Promise<{ id: number; line: string }[]> {
  const { rows } = await sql<{ id: number; line: string }>`
    select journal.id, concat_ws('|', journal.id, kind, coalesce(payment_id::text, 'deposit ' || deposit_id, '-'), coalesce(other_payment_id::text, '-'),
      amount, fee_amount, sequence, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), coalesce((
        select string_agg(concat_ws(':', account.kind, coalesce(account.provider, '-'), coalesce(account.user_id::text, '-'),
          entry.amount), ' ' order by entry.id)
        from ledger_entries entry join ledger_accounts account on account.id = entry.account_id
        where entry.journal_id = journal.id), '-')) as line
    from ledger_journals journal where journal.id > ${after} and journal.id <= ${end}
    order by journal.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Gives chains that have grown since the last roots the next places in the root of a day.
 * @param given.after the chains of larger ids are looked at, `limit` of them; null: from the first one
 * @param given.place how many chains have a place already
 * @returns how many got one, and the last chain that was looked at; null when there is none left
 */
export async function placeChains(
  trx: Trx,
  { day, after, place, limit }: { day: string; after: string | null; place: number; limit: number },
): Promise<{ placed: number; last: string | null }> {
  const { rows } = await sql<{ placed: number; last: string | null }>`
    with chain as materialized (
      select id, length, head from exposure_chains
      where ${after === null ? sql.lit(true) : sql`id > ${after}`} order by id limit ${limit}
    ), placed as (
      insert into proof_root_chains (day, place, chain_id, length, head)
      select ${day}::date, ${place} + row_number() over (order by id) - 1, id, length, head from chain
      where not exists (
        select from proof_root_chains rooted where rooted.chain_id = chain.id and rooted.length = chain.length)
      returning place
    )
    select (select count(*)::integer from placed) as placed,
      (select id from chain order by id desc limit 1) as last`.execute(trx);
  return rows[0] ?? { placed: 0, last: null };
}

/** The chains of a daily root from a place on, in their order. */
export async function listRooted(
  db: Database | Trx,
  { day, from, limit }: { day: string; from: number; limit: number },
): Promise<(RootedChain & { place: number })[]> {
  return db
    .selectFrom('proofRootChains')
    .select(['place', 'chainId', 'length', 'head'])
    .where('day', '=', day)
    .where('place', '>=', from)
    .orderBy('place')
    .limit(limit)
    .execute();
}

export interface RootRow {
  readonly day: string;
  readonly madeAt: Date;
  readonly previous: Buffer;
  readonly chains: number;
  readonly groups: Buffer;
  readonly journals: number;
  readonly journalsEnd: number;
  readonly salt: Buffer;
  readonly ledger: Buffer;
  readonly books: string;
  readonly root: Buffer;
  readonly signature: string;
}

export async function insertRoot(trx: Trx, root: RootRow): Promise<void> {
  await trx.insertInto('proofRoots').values(root).execute();
}

export async function findLatestRoot(db: Database | Trx): Promise<RootRow | undefined> {
  return db.selectFrom('proofRoots').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst();
}

/** Daily roots after a day, the oldest first. */
export async function listRootsAfter(
  db: Database | Trx,
  { day, limit }: { day: string; limit: number },
): Promise<RootRow[]> {
  return db.selectFrom('proofRoots').selectAll().where('day', '>', day).orderBy('day').limit(limit).execute();
}

const NEWEST: ListOrder = { name: 'roots', direction: 'desc', by: [['madeAt', 'timestamptz']] };

/** Daily roots, the newest first. */
export async function listRoots(db: Database, paging: Paging) {
  const page = openPage(paging, NEWEST, COUNT_CAP);
  const rows = await page.select(db.selectFrom('proofRoots').selectAll(), 'proofRoots').execute();
  const all = db.selectFrom('proofRoots').select('day');
  return { ...page.finish(rows), ...(await cappedTotal(db, all, COUNT_CAP)) };
}

/** The daily root that has a chain with exactly this many entries, and the leaves of its group. */
export async function findInclusion(db: Database, given: { chainId: string; length: number }) {
  const placed = await db
    .selectFrom('proofRootChains')
    .innerJoin('proofRoots', 'proofRoots.day', 'proofRootChains.day')
    .select(['proofRootChains.day', 'place', 'groups', 'signature'])
    .where('chainId', '=', given.chainId)
    .where('length', '=', given.length)
    .executeTakeFirst();
  if (!placed) return undefined;
  const from = placed.place - (placed.place % LEAVES_IN_GROUP);
  const chains = await listRooted(db, { day: placed.day, from, limit: LEAVES_IN_GROUP });
  return { ...placed, chains };
}
