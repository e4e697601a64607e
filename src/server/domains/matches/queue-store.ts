import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

export type Change = Selectable<DB['matchQueue']>;

/** Any number; the finder is one at a time over all processes. */
const FINDER_LOCK = 7_310_001;

/** Waits until no other process finds matches, and keeps them waiting until the transaction ends. */
export async function lockFinder(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FINDER_LOCK}::bigint)`.execute(trx);
}

/** The oldest changes, of wants only these. Take the finder's lock first. */
export async function listChanges(trx: Trx, ofWants: readonly number[], limit: number): Promise<Change[]> {
  const { rows } = await sql<Change>`
    (select * from match_queue where want_id is null or coupon_id is not null order by id limit ${limit})
    union all select * from match_queue where id = any(${ofWants}::bigint[])`.execute(trx);
  return rows;
}

export async function deleteChanges(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('matchQueue').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute();
}

/** The oldest changes of wants. */
export async function listChangesOfWants(db: Database, limit: number) {
  const { rows } = await sql<{ id: number; wantId: number }>`
    select id, want_id from match_queue where want_id is not null and coupon_id is null order by id
    limit ${limit}`.execute(db);
  return rows;
}

/** What a want asks for, with its person; undefined if it gives nothing, is paused or is gone. */
export async function findGivingWant(db: Database, id: number) {
  return db
    .selectFrom('wants')
    .innerJoin('users', 'users.id', 'wants.userId')
    .select(['wants.search', 'merchant', 'category', 'minValue', 'maxValue', 'expiryDays'])
    .where('wants.id', '=', id)
    .where('gives', '<>', 'nothing')
    .where('isPaused', '=', false)
    .executeTakeFirst();
}

/** Replaces the coupons that were listed before a want. Take the finder's lock first. */
export async function setFits(trx: Trx, wantId: number, couponIds: readonly number[]): Promise<void> {
  await trx.deleteFrom('matchFits').where('wantId', '=', wantId).execute();
  await sql`
    insert into match_fits (want_id, coupon_id)
    select ${wantId}, coupon_id from unnest(${couponIds}::integer[]) as coupon_id
    where exists (select from wants where id = ${wantId})
    on conflict do nothing`.execute(trx);
}

/** Notes who wanted which coupon in vain: those who had agreed, but for whoever ended it. */
export async function keepWish(trx: Trx, exchangeId: number): Promise<void> {
  await sql`
    insert into match_wishes (user_id, coupon_id)
    select receiver_id, coupon_id
    from exchanges join exchange_legs on exchange_legs.exchange_id = id
      join exchange_parties as party on party.exchange_id = id and party.user_id = receiver_id
    where id = ${exchangeId} and exchanges.status in ('rejected', 'cancelled') and party.consented_at is not null
      and ended_by_id is distinct from receiver_id
    on conflict do nothing`.execute(trx);
}

/**
 * Ends the match of an exchange that has ended: what somebody has declined does not come back.
 * @returns the coupons of the exchange
 */
export async function endProposed(trx: Trx, exchangeId: number, at: Date): Promise<number[]> {
  await sql`
    update matches set state = 'dismissed', updated_at = ${at}::timestamptz
    where exchange_id = ${exchangeId} and state = 'proposed'
      and (select reason from exchanges where id = ${exchangeId}) in ('by_owner', 'by_party', 'by_requester', 'deadline')`.execute(
    trx,
  );
  await sql`delete from matches where exchange_id = ${exchangeId} and state = 'proposed'`.execute(trx);
  const { rows } = await sql<{ couponId: number }>`
    select coupon_id from exchange_legs where exchange_id = ${exchangeId} order by place`.execute(trx);
  return rows.map(({ couponId }) => couponId);
}
