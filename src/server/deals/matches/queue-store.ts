import { type Selectable, sql } from 'kysely';
import { isWanted, WANT_COLUMNS } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { isMatchable } from './edges-store.ts';

export type Change = Selectable<DB['matchQueue']>;

/** Any number; the finder is one at a time over all processes. */
const FINDER_LOCK = 7_310_001;

/** Waits until no other process finds matches, and keeps them waiting until the transaction ends. */
export async function lockFinder(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${FINDER_LOCK}::bigint)`.execute(trx);
}

/** The oldest changes but those passed over, of wants only these. Take the finder's lock first. */
export async function listChanges(
  trx: Trx,
  given: { ofWants: readonly number[]; limit: number; passedOver: readonly number[] },
): Promise<Change[]> {
  const { ofWants, limit, passedOver } = given;
  const isNext = sql`id <> all(${passedOver}::bigint[])`;
  const { rows } = await sql<Change>`
    (select * from match_queue where (want_id is null or coupon_id is not null) and ${isNext} order by id limit ${limit})
    union all (select * from match_queue where id = any(${ofWants}::bigint[]) and ${isNext} order by id limit ${limit})
    limit ${limit}`.execute(trx);
  return rows;
}

export async function deleteChanges(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('matchQueue').where('id', '=', sql<number>`any(${ids}::bigint[])`).execute();
}

/** The oldest changes of wants but those passed over. */
export async function listChangesOfWants(db: Database, limit: number, passedOver: readonly number[]) {
  const { rows } = await sql<{ id: number; wantId: number }>`
    select id, want_id from match_queue
    where want_id is not null and coupon_id is null and id <> all(${passedOver}::bigint[])
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** What a want asks for; undefined if it gives nothing, is paused or is gone. */
export async function findGivingWant(db: Database, id: number) {
  return db
    .selectFrom('wants')
    .select([
      'search',
      'merchant',
      'category',
      'minValue',
      'maxValue',
      'expiryDays',
      'checkedDays',
      'hasAskingPrice',
    ])
    .where('id', '=', id)
    .where('gives', '<>', 'nothing')
    .where('isPaused', '=', false)
    .executeTakeFirst();
}

/** Those of these coupons that a person could get for their want, in the same order. */
export async function listFitting(
  db: Database,
  given: { wantId: number; couponIds: readonly number[]; now: Date },
): Promise<number[]> {
  const { wantId, couponIds, now } = given;
  const { rows } = await sql<{ id: number }>`
    select coupons.id from unnest(${couponIds}::integer[]) with ordinality as listed (id, place)
    join coupons on coupons.id = listed.id
    join (select ${WANT_COLUMNS} from wants) as want on want.want_id = ${wantId}
    where coupons.owner_id <> want.user_id and ${isMatchable(now)} and ${isWanted(now)}
    order by listed.place`.execute(db);
  return rows.map(({ id }) => id);
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

/** Notes who wanted which coupon in vain: everybody who had agreed, except the person who ended the deal. */
export async function keepWish(trx: Trx, exchangeId: number): Promise<void> {
  await sql`
    insert into match_wishes (user_id, coupon_id)
    select receiver_id, coupon_id
    from exchanges join exchange_legs on exchange_legs.exchange_id = id
      join exchange_parties as party on party.exchange_id = id and party.user_id = receiver_id
    where id = ${exchangeId} and exchanges.status in ('rejected', 'cancelled') and party.consented_at is not null
      and exchanges.reason <> 'countered'
      and ended_by_id is distinct from receiver_id
    on conflict do nothing`.execute(trx);
}

/** Why an exchange can end so that the same swap is not suggested again. */
const TURNED_DOWN = sql`('by_owner', 'by_party', 'by_requester', 'deadline')`;

/**
 * Ends the match of an exchange that has ended. What somebody has declined does not come back, also if they proposed it
 * without a match: it leaves a dismissed match of its key (`keyOf`), and so does each round before it. A counter-offer
 * takes over the match of the proposal that it answers.
 * @returns the coupons of the exchange, and the people
 */
export async function endProposed(
  trx: Trx,
  exchangeId: number,
  at: Date,
): Promise<{ couponId: number; giverId: number }[]> {
  await sql`
    update matches set exchange_id = next.id, updated_at = ${at}::timestamptz
    from exchanges as next
    where next.replaces_id = ${exchangeId} and exchange_id = ${exchangeId} and state = 'proposed'`.execute(
    trx,
  );
  await sql`
    with dismissed as (
      insert into matches (key, size, state, is_explicit, score, exchange_id, created_at, updated_at)
      select distinct string_agg(leg, ' ' order by leg collate "C"),
        count(*), 'dismissed', false, 0, ${exchangeId}::integer, ${at}::timestamptz, ${at}::timestamptz
      from exchanges as ended join exchanges as round on round.thread_id = ended.thread_id and round.round <= ended.round
        join exchange_legs on exchange_id = round.id, concat(coupon_id, ':', giver_id, '>', receiver_id) as leg
      where ended.id = ${exchangeId} and ended.status in ('rejected', 'cancelled') and ended.reason in ${TURNED_DOWN}
      group by round.id
      having count(*) = count(distinct giver_id) and count(*) > 1
      on conflict (key) do update set state = 'dismissed', is_chosen = false, exchange_id = excluded.exchange_id,
        updated_at = excluded.updated_at where matches.state <> 'dismissed'
      returning id
    )
    update match_legs set slot = null, awaits_notification = false from dismissed where match_id = dismissed.id`.execute(
    trx,
  );
  await sql`delete from matches where exchange_id = ${exchangeId} and state = 'proposed'`.execute(trx);
  const { rows } = await sql<{ couponId: number; giverId: number }>`
    select coupon_id, giver_id from exchange_legs where exchange_id = ${exchangeId} order by place`.execute(
    trx,
  );
  return rows;
}

/** Queues people whose day of return is within these days. */
export async function queueReturned(db: Database, given: { from: string; to: string }): Promise<void> {
  await sql`
    insert into match_queue (user_id)
    select id from users where away_until between ${given.from} and ${given.to}`.execute(db);
}

/** The next person, in id order, who is in a match of any state. */
export async function nextPerson(db: Database, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('matchLegs')
    .select('giverId')
    .where('giverId', '>', after)
    .orderBy('giverId')
    .limit(1)
    .executeTakeFirst();
  return row?.giverId;
}

/** The people in open and waiting matches with these. */
export async function listPartners(
  db: Database,
  userIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ giverId: number }>`
    select distinct partner.giver_id
    from match_legs as own
    join matches on matches.id = own.match_id and matches.state in ('open', 'waiting')
    join match_legs as partner on partner.match_id = own.match_id
    where own.giver_id = any(${userIds}::integer[])
    limit ${limit}`.execute(db);
  return rows.map(({ giverId }) => giverId);
}
