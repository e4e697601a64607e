import { sql } from 'kysely';
import type { ExposureEntry, ExposureKind } from '#contract/oversight/proof-lines.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** The chain of a coupon's present code. */
export interface ChainRow {
  readonly id: string;
  readonly generation: number;
  readonly length: number;
  readonly head: Buffer;
}

export async function findChain(db: Database | Trx, couponId: number): Promise<ChainRow | undefined> {
  return db
    .selectFrom('exposureChains')
    .select(['id', 'generation', 'length', 'head'])
    .where('couponId', '=', couponId)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function chainById(db: Database | Trx, id: string): Promise<ChainRow | undefined> {
  return db
    .selectFrom('exposureChains')
    .select(['id', 'generation', 'length', 'head'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What everybody may know of the chain of a coupon's present code; `you`: the number of a person in it. */
export async function sumUp(db: Database, { couponId, userId }: { couponId: number; userId: number | null }) {
  const { rows } = await sql<{
    id: string;
    length: number;
    people: number;
    isKnown: boolean;
    isReissued: boolean;
    isTakenOver: boolean;
    you: number | null;
  }>`
    with chain as (
      select id, length from exposure_chains where coupon_id = ${couponId} order by generation desc limit 1)
    select chain.id, chain.length,
      (select count(*) from exposure_people where chain_id = chain.id)::integer as people,
      coalesce(bool_or(kind = 'known'), false) as is_known,
      coalesce(bool_or(kind = 'reissued'), false) as is_reissued,
      coalesce(bool_or(kind = 'taken_over'), false) as is_taken_over,
      (select person from exposure_people where chain_id = chain.id and user_id = ${userId ?? 0}) as you
    from chain left join exposure_entries entry
      on entry.chain_id = chain.id and kind in ('known', 'reissued', 'taken_over')
    group by chain.id, chain.length`.execute(db);
  return rows[0];
}

/** Entries of a chain in their order, from the one after `after` on. */
export async function listEntries(
  db: Database | Trx,
  { chainId, after = 0, limit }: { chainId: string; after?: number; limit: number },
): Promise<ExposureEntry[]> {
  const rows = await db
    .selectFrom('exposureEntries')
    .select(['kind', 'person', 'at'])
    .where('chainId', '=', chainId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .$narrowType<{ kind: ExposureKind }>()
    .execute();
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
}

/** The entries of a person in the chain of a coupon's present code, in their order. */
export async function listEntriesOfPerson(
  trx: Trx,
  { couponId, userId }: { couponId: number; userId: number },
): Promise<{ kind: ExposureKind; at: Date }[]> {
  const chain = await findChain(trx, couponId);
  if (!chain) return [];
  return trx
    .selectFrom('exposureEntries as entry')
    .innerJoin('exposurePeople as known', (join) =>
      join.onRef('known.chainId', '=', 'entry.chainId').onRef('known.person', '=', 'entry.person'),
    )
    .select(['entry.kind', 'entry.at'])
    .where('entry.chainId', '=', chain.id)
    .where('known.userId', '=', userId)
    .orderBy('entry.seq')
    .$narrowType<{ kind: ExposureKind }>()
    .execute();
}

/** Locks a coupon (shared), so that its owner cannot give it away meanwhile. @returns its owner; undefined if it is gone */
export async function lockOwner(trx: Trx, couponId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('coupons')
    .select('ownerId')
    .where('id', '=', couponId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row?.ownerId;
}

/** The number of a person in a chain; undefined for whom the code was never shown. */
export async function personOf(trx: Trx, chainId: string, userId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('exposurePeople')
    .select('person')
    .where('chainId', '=', chainId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.person;
}

/** Records what is signed for an owner. */
export async function insertStatement(
  trx: Trx,
  statement: { id: string; chainId: string; length: number; head: Buffer; person: number; at: Date },
): Promise<void> {
  const { at, ...row } = statement;
  await trx
    .insertInto('exposureStatements')
    .values({ ...row, issuedAt: at })
    .execute();
}
