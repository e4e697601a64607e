import { type Insertable, sql } from 'kysely';
import { FINDS_MAX, type Want } from '#contract/coupons/wants.ts';
import { ENDS_AT, isWanted, WANT_COLUMNS } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** Whether a coupon can be had by the person of a want: on offer and free, neither their own nor of a blocked person. */
function isToBeHad(now: Date) {
  return sql<boolean>`(coupons.is_active and ${ENDS_AT} >= ${now}
    and not exists (select from coupon_reservations where coupon_reservations.coupon_id = coupons.id)
    and coupons.owner_id <> want.user_id
    and not exists (
      select from user_blocks where blocker_id = want.user_id and blocked_id = coupons.owner_id
        or blocker_id = coupons.owner_id and blocked_id = want.user_id))`;
}

/** A want with its finds counted. */
export type WantRow = Omit<Want, 'lookedAt' | 'createdAt'> & {
  readonly lookedAt: Date;
  readonly createdAt: Date;
};

/** A person's wants, the latest first, each with its finds counted up to FINDS_MAX. */
export async function listWants(
  db: Database | Trx,
  { userId, now, id }: { userId: number; now: Date; id?: number },
): Promise<WantRow[]> {
  const { rows } = await sql<WantRow>`
    select wants.id, search, merchant, category, min_value, max_value, expiry_days, checked_days, has_asking_price, region, gives,
      is_paused, looked_at, created_at,
      array(
        select coupon_id from want_gifts join coupons on coupons.id = coupon_id and coupons.owner_id = wants.user_id
        where want_id = wants.id and coupons.deleted_at is null order by coupon_id) as gift_ids,
      finds.found, finds.fresh
    from wants cross join lateral (
      select count(*)::integer as found, (count(*) filter (where found_at > wants.looked_at))::integer as fresh
      from (${findsOf(sql`wants.id`, now)}) as latest) as finds
    where wants.user_id = ${userId} and (${id ?? null}::integer is null or wants.id = ${id ?? null})
    order by wants.id desc`.execute(db);
  return rows;
}

/** The latest finds of a want that can still be had. */
function findsOf(wantId: ReturnType<typeof sql>, now: Date) {
  return sql`
    select want_finds.coupon_id, want_finds.found_at
    from want_finds
    join (select ${WANT_COLUMNS} from wants) as want on want.want_id = want_finds.want_id
    join coupons on coupons.id = want_finds.coupon_id
    where want_finds.want_id = ${wantId} and ${isWanted(now)} and ${isToBeHad(now)}
    order by want_finds.found_at desc, want_finds.coupon_id desc limit ${sql.lit(FINDS_MAX)}`;
}

/** The latest finds of a want that can still be had, latest first. */
export async function listFinds(db: Database, wantId: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ couponId: number }>`${findsOf(sql`${wantId}`, now)}`.execute(db);
  return rows.map(({ couponId }) => couponId);
}

/** Locks a person, so that their wants are counted one after the other. @returns how many they have */
export async function countWants(trx: Trx, userId: number): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom('wants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertWant(trx: Trx, values: Insertable<DB['wants']>): Promise<number> {
  const { id } = await trx.insertInto('wants').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** @returns whether the person has such a want */
export async function updateWant(
  db: Database | Trx,
  { id, userId }: { id: number; userId: number },
  values: Partial<Insertable<DB['wants']>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('wants')
    .set(values)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @returns whether the person had such a want */
export async function deleteWant(
  db: Database,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('wants')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteWantsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('wants').where('userId', '=', userId).execute();
  await trx.deleteFrom('wantNotifications').where('userId', '=', userId).execute();
}

/** Replaces what somebody would give. @returns how many of the coupons are theirs */
export async function setGifts(
  trx: Trx,
  given: { wantId: number; userId: number; couponIds: readonly number[] },
): Promise<number> {
  const { wantId, userId, couponIds } = given;
  await trx.deleteFrom('wantGifts').where('wantId', '=', wantId).execute();
  if (couponIds.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into want_gifts (want_id, coupon_id)
    select ${wantId}, id from coupons
    where id = any(${couponIds}::integer[]) and owner_id = ${userId} and deleted_at is null`.execute(trx);
  return Number(numAffectedRows);
}

/** A coupon that was listed or changed, from the queue. */
export interface Queued {
  readonly id: number;
  readonly couponId: number;
  /** Puts the wants into an order of its own. */
  readonly seed: string;
  readonly afterPlace: string;
}

/** The oldest in the queue from before a time that no other process works on, but none of `passedOver`. */
export async function lockQueued(
  trx: Trx,
  { before, passedOver }: { before: Date; passedOver: readonly number[] },
): Promise<Queued | undefined> {
  return trx
    .selectFrom('wantQueue')
    .select(['id', 'couponId', 'seed', 'afterPlace'])
    .where('queuedAt', '<', before)
    .where('id', '<>', sql<number>`all(${passedOver}::bigint[])`)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Notes how far the wants are done for a queued coupon; null: to the end. */
export async function moveOn(trx: Trx, queued: Queued, afterPlace: string | null): Promise<void> {
  if (afterPlace === null) await trx.deleteFrom('wantQueue').where('id', '=', queued.id).execute();
  else await trx.updateTable('wantQueue').set({ afterPlace }).where('id', '=', queued.id).execute();
}

/** What wants can ask of a coupon; undefined if it is not on offer or not free. */
export async function findOffered(trx: Trx, couponId: number, now: Date) {
  const { rows } = await sql<{
    title: string;
    merchant: string;
    category: string;
    rank: number;
    searchText: string;
    merchantText: string;
    synonymPieces: string[];
  }>`
    select title, merchant, category, case when discount_type = 'fixed' then value else -1 end as rank, search_text,
      merchant_text, want_pieces(search_text) as synonym_pieces
    from coupons
    where id = ${couponId} and is_active and ${ENDS_AT} >= ${now}
      and not exists (select from coupon_reservations where coupon_id = coupons.id)`.execute(trx);
  return rows[0];
}

interface Candidate {
  readonly wantId: number;
  readonly userId: number;
  readonly place: string;
  readonly isFound: boolean;
}

/**
 * The next wants that are filed under a key of a coupon, in the order that the seed makes, and whether the coupon is what each
 * looks for.
 * @param given.rank what the coupon is ranked by: its value, or -1
 */
export async function listCandidates(
  trx: Trx,
  given: {
    couponId: number;
    keys: readonly string[];
    category: string;
    rank: number;
    seed: string;
    afterPlace: string;
    limit: number;
    now: Date;
  },
): Promise<Candidate[]> {
  const { couponId, keys, category, rank, seed, afterPlace, limit, now } = given;
  const place = sql`md5(${seed}::text || ' ' || wants.id) collate "C"`;
  const { rows } = await sql<Candidate>`
    select want_id, user_id, place, ${isWanted(now)} and ${isToBeHad(now)} and exists (
        select from users where users.id = want.user_id and users.status <> 'banned' and users.deleted_at is null
      ) as is_found
    from coupons, (
      select ${WANT_COLUMNS}, ${place} as place from wants
      where not is_paused and key = any(${keys}::text[]) and coalesce(category, '') = any(${['', category]}::text[])
        and low <= ${rank} and high >= ${rank} and ${place} > ${afterPlace}
      order by place limit ${limit}) as want
    where coupons.id = ${couponId}
    order by place`.execute(trx);
  return rows;
}

/**
 * Records that a coupon was found for these wants.
 * @returns the people who have not been told of it yet, in the order of the finds; from now on they have
 */
export async function insertFinds(
  trx: Trx,
  { couponId, finds, at }: { couponId: number; finds: readonly Candidate[]; at: Date },
): Promise<number[]> {
  if (finds.length === 0) return [];
  const userIds = [...new Set(finds.map(({ userId }) => userId))].sort((one, other) => one - other);
  const { rows } = await sql<{ userId: number }>`
    with found as (
      insert into want_finds (want_id, coupon_id, found_at)
      select want_id, ${couponId}, ${at}::timestamptz
      from unnest(${finds.map(({ wantId }) => wantId)}::integer[]) as want_id
      on conflict do nothing
    )
    insert into want_notifications (user_id, coupon_id, notified_at, awaits_digest)
    select person.id, ${couponId}, ${at}::timestamptz, coalesce(wish.daily and wish.mail, true)
    from unnest(${userIds}::integer[]) as person (id)
    left join notification_preferences as wish on wish.user_id = person.id and wish.type = 'want'
    on conflict do nothing
    returning user_id`.execute(trx);
  const told = new Set(rows.map(({ userId }) => userId));
  return [...new Set(finds.map(({ userId }) => userId))].filter((userId) => told.has(userId));
}

/** What a person is told of in the mail of a day. */
export interface Digest {
  readonly userId: number;
  readonly coupons: readonly { readonly title: string; readonly merchant: string }[];
}

/** Takes the digests of up to `limit` people. Coupons that can no longer be had are left out. */
export async function takeDigests(
  trx: Trx,
  limit: number,
  now: Date,
): Promise<{ taken: number; digests: Digest[] }> {
  const { rows } = await sql<Digest>`
    with people as (
      select distinct user_id from want_notifications where awaits_digest order by user_id limit ${limit}
    ), taken as (
      update want_notifications set awaits_digest = false from people
      where want_notifications.user_id = people.user_id and awaits_digest
      returning want_notifications.user_id, want_notifications.coupon_id
    )
    select want.user_id, coalesce(json_agg(json_build_object('title', coupons.title, 'merchant', coupons.merchant)
      order by coupons.id) filter (where coupons.id is not null), '[]') as coupons
    from (select user_id, coupon_id from taken) as want
      left join coupons on coupons.id = want.coupon_id and ${isToBeHad(now)}
    group by want.user_id order by want.user_id`.execute(trx);
  return { taken: rows.length, digests: rows.filter(({ coupons }) => coupons.length > 0) };
}
