import { type RawBuilder, sql } from 'kysely';
import type { ExposureEntry, ExposureKind } from '#contract/oversight/proof-lines.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** Gives the transaction one consistent snapshot. Call it first. */
export async function useSnapshot(trx: Trx): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`.execute(trx);
}

export interface CheckedChain {
  readonly id: string;
  readonly couponId: number;
  readonly length: number;
  readonly head: Buffer;
}

/** Chains in the order of their ids, from the one after `after` on. */
export async function listChains(trx: Trx, after: string, limit: number): Promise<CheckedChain[]> {
  return trx
    .selectFrom('exposureChains')
    .select(['id', 'couponId', 'length', 'head'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface CheckedEntry extends ExposureEntry {
  readonly chainId: string;
  readonly seq: number;
  readonly hash: Buffer;
}

/** The entries of these chains, in their order. */
export async function listEntriesOf(trx: Trx, chainIds: readonly string[]): Promise<CheckedEntry[]> {
  const rows = await trx
    .selectFrom('exposureEntries')
    .select(['chainId', 'seq', 'kind', 'person', 'at', 'hash'])
    .where('chainId', '=', sql<string>`any(${[...chainIds]}::uuid[])`)
    .orderBy('chainId')
    .orderBy('seq')
    .$narrowType<{ kind: ExposureKind }>()
    .execute();
  return rows.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() }));
}

/** A head that a chain has had, by a statement or a daily root. */
export interface PromisedHead {
  readonly chainId: string;
  readonly length: number;
  readonly head: Buffer;
  readonly by: string;
}

/** The heads that statements and daily roots have promised for these chains. */
export async function listPromises(trx: Trx, chainIds: readonly string[]): Promise<PromisedHead[]> {
  const { rows } = await sql<PromisedHead>`
    select chain_id, length, head, 'the statement ' || id as by from exposure_statements
      where chain_id = any(${[...chainIds]}::uuid[])
    union all
    select chain_id, length, head, 'the root of ' || day from proof_root_chains
      where chain_id = any(${[...chainIds]}::uuid[])`.execute(trx);
  return rows;
}

const CHAINS_OF_COUPON = (coupon: string) =>
  sql`select id from exposure_chains where coupon_id = ${sql.ref(coupon)}`;

/** An entry of a person in a chain of a coupon at an instant. */
const entryOf = (coupon: string, user: string, at: string, kinds: string) => sql`
  select from exposure_entries entry
  join exposure_people person on person.chain_id = entry.chain_id and person.person = entry.person
  where entry.chain_id in (${CHAINS_OF_COUPON(coupon)}) and person.user_id = ${sql.ref(user)}
    and entry.at = ${sql.ref(at)}::timestamptz(3) and entry.kind = any(${kinds}::text[])`;

/** Each rule as a query for the rows that break it. */
const RULES: Record<string, RawBuilder<unknown>> = {
  'what belongs to a chain has its chain': sql`
    select 'entries' as what, chain_id from exposure_entries where chain_id not in (select id from exposure_chains)
    union select 'statement', chain_id from exposure_statements where chain_id not in (select id from exposure_chains)
    union select 'root', chain_id from proof_root_chains where chain_id not in (select id from exposure_chains)
    union select 'people', chain_id from exposure_people where chain_id not in (select id from exposure_chains)
    union select 'codes', chain_id from exposure_codes where chain_id not in (select id from exposure_chains)`,

  'every code has a chain, but public ones': sql`
    select coupon.id from coupons coupon
    where coupon.category not in ('imported', 'scraped')
      and (exists (select from coupon_secrets where coupon_id = coupon.id)
        or exists (select from images where images.coupon_id = coupon.id))
      and not exists (${CHAINS_OF_COUPON('coupon.id')})`,

  'the codes of a coupon are numbered from 1 without a gap': sql`
    select coupon_id from exposure_chains group by coupon_id having count(*) <> max(generation) or min(generation) <> 1`,

  'everybody in an entry is known, and everybody known is in an entry': sql`
    select chain_id, person from exposure_entries entry where person is not null and not exists (
      select from exposure_people known where known.chain_id = entry.chain_id and known.person = entry.person)
    union
    select chain_id, person from exposure_people known where not exists (
      select from exposure_entries entry where entry.chain_id = known.chain_id and entry.person = known.person)`,

  'every view of a code has its entry': sql`
    select view.id, view.coupon_id from coupon_reveals view join coupons on coupons.id = view.coupon_id
    where coupons.category not in ('imported', 'scraped')
      and not exists (${entryOf('view.couponId', 'view.userId', 'view.revealedAt', '{shown,handed_over}')})`,

  'every transfer of a code has its entry': sql`
    select transfer.id, transfer.coupon_id from coupon_transfers transfer
    where exists (${CHAINS_OF_COUPON('transfer.couponId')})
      and not exists (${entryOf('transfer.couponId', 'transfer.toUserId', 'transfer.createdAt', '{handed_over}')})`,

  'every entry of a view or a transfer has its record': sql`
    select entry.chain_id, entry.seq, entry.kind from exposure_entries entry
    join exposure_chains chain on chain.id = entry.chain_id
    join exposure_people person on person.chain_id = entry.chain_id and person.person = entry.person
    where exists (select from coupons where coupons.id = chain.coupon_id)
      and case entry.kind
        when 'shown' then not exists (
          select from coupon_reveals view where view.coupon_id = chain.coupon_id and view.user_id = person.user_id
            and view.revealed_at::timestamptz(3) = entry.at)
        when 'handed_over' then not exists (
          select from coupon_transfers transfer where transfer.coupon_id = chain.coupon_id
            and transfer.to_user_id = person.user_id and transfer.created_at::timestamptz(3) = entry.at)
        else false end`,
};

/** The broken rules with their first 20 offending rows. */
export async function checkRules(trx: Trx): Promise<{ rule: string; rows: unknown[] }[]> {
  const broken = [];
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await query.execute(trx);
    if (rows.length > 0) broken.push({ rule, rows: rows.slice(0, 20) });
  }
  return broken;
}

export async function countStatements(db: Database | Trx): Promise<number> {
  const { count } = await db
    .selectFrom('exposureStatements')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The places of a day's root that are not where they should be. */
export async function countPlaces(trx: Trx, day: string): Promise<{ count: number; last: number }> {
  const { rows } = await sql<{ count: number; last: number }>`
    select count(*)::integer as count, coalesce(max(place), -1)::integer as last
    from proof_root_chains where day = ${day}::date`.execute(trx);
  return rows[0] ?? { count: 0, last: -1 };
}
