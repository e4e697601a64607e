import { type RawBuilder, sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { utcDay } from '#server/core/clock.ts';
import { ENDS_AT, isWanted, WANT_COLUMNS } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Trx } from '#server/database/client.ts';
import type { Dismissal, Edge, Facts } from './rules.ts';

/** So many takers of a coupon, and coupons for a want, are known: a hub must not slow the others down. */
const KNOWN_MAX = 500;
/** How many edges of a changed coupon or person are searched for rings again. */
const AGAIN_MAX = 50;

/** Whether `coupons` may be part of a match now. */
export function isMatchable(now: Date) {
  const personal = sql.join(PERSONAL_CATEGORIES.map((category) => sql.lit(category)));
  return sql<boolean>`(coupons.is_active and coupons.is_open_to_offers and coupons.transferable <> 'no'
    and ${ENDS_AT} >= ${now} and coupons.category not in (${personal})
    and not exists (select from coupon_reservations where coupon_reservations.coupon_id = coupons.id))`;
}

/** Whether somebody (`users`) takes part: neither suspended nor banned, gone or away. */
export function takesPart(now: Date) {
  return sql<boolean>`(users.status in ('active', 'warned') and users.deleted_at is null
    and coalesce(users.away_until <= ${utcDay(now)}, true))`;
}

const WANT = sql`(select ${WANT_COLUMNS}, gives, is_paused from wants) as want`;

/** What has changed. */
export interface Changed {
  readonly couponIds: readonly number[];
  readonly wantIds: readonly number[];
  /** Coupons that came for wants. */
  readonly finds: readonly { readonly couponId: number; readonly wantId: number }[];
  /** Coupons that somebody has saved, or no longer. */
  readonly saves: readonly { readonly couponId: number; readonly userId: number }[];
}

/** Removes the edges of what has changed that are none any more. */
export async function removeEdges(trx: Trx, changed: Changed, now: Date): Promise<void> {
  const isEdge = sql<boolean>`exists (
    select from coupons where coupons.id = edge.coupon_id and coupons.owner_id = edge.owner_id and ${isMatchable(now)}
      and (edge.want_id is null and ${likes(sql`edge.taker_id`)} or exists (
        select from ${WANT} where want.want_id = edge.want_id and not want.is_paused and want.gives <> 'nothing'
          and edge.gives_some = (want.gives = 'some') and ${isWanted(now)})))`;
  if (changed.couponIds.length > 0)
    await sql`delete from match_edges as edge where edge.coupon_id = any(${changed.couponIds}::integer[]) and not ${isEdge}`.execute(
      trx,
    );
  if (changed.wantIds.length > 0)
    await sql`delete from match_edges as edge where edge.want_id = any(${changed.wantIds}::integer[]) and not ${isEdge}`.execute(
      trx,
    );
  if (changed.saves.length === 0) return;
  const couponIds = changed.saves.map(({ couponId }) => couponId);
  const userIds = changed.saves.map(({ userId }) => userId);
  await sql`
    delete from match_edges as edge
    using unnest(${couponIds}::integer[], ${userIds}::integer[]) as saved (coupon_id, user_id)
    where edge.coupon_id = saved.coupon_id and edge.taker_id = saved.user_id and edge.want_id is null
      and not ${isEdge}`.execute(trx);
}

const likes = (userId: ReturnType<typeof sql>) => sql<boolean>`(
  exists (select from saved_coupons where user_id = ${userId} and coupon_id = coupons.id)
  or exists (select from match_wishes where user_id = ${userId} and coupon_id = coupons.id))`;

/** Adds the edges that what has changed brings. Their ids decide between equals, so they do not depend on a plan. */
export async function addEdges(trx: Trx, changed: Changed, now: Date): Promise<void> {
  const { couponIds, wantIds, finds, saves } = changed;
  if (couponIds.length + wantIds.length + finds.length > 0) await addExplicitEdges(trx, changed, now);
  if (couponIds.length + saves.length > 0) await addLikelyEdges(trx, changed, now);
}

async function addExplicitEdges(trx: Trx, { couponIds, wantIds, finds }: Changed, now: Date): Promise<void> {
  const most = sql.lit(KNOWN_MAX);
  await sql`
    insert into match_edges (taker_id, owner_id, coupon_id, want_id, gives_some)
    select want.user_id, coupons.owner_id, coupons.id, want.want_id, want.gives = 'some'
    from (
      select each.coupon_id, found.want_id from unnest(${couponIds}::integer[]) as each (coupon_id), lateral (
        (select want_id from want_finds where want_finds.coupon_id = each.coupon_id limit ${most})
        union (select want_id from match_fits where match_fits.coupon_id = each.coupon_id limit ${most})) as found
      union
      select found.coupon_id, each.want_id from unnest(${wantIds}::integer[]) as each (want_id), lateral (
        (select coupon_id from want_finds where want_finds.want_id = each.want_id
          order by found_at desc, coupon_id desc limit ${most})
        union (select coupon_id from match_fits where match_fits.want_id = each.want_id limit ${most})) as found
      union
      select * from unnest(${finds.map(({ couponId }) => couponId)}::integer[],
        ${finds.map(({ wantId }) => wantId)}::integer[])
    ) as pair
    join ${WANT} on want.want_id = pair.want_id
    join coupons on coupons.id = pair.coupon_id
    where not want.is_paused and want.gives <> 'nothing' and coupons.owner_id <> want.user_id
      and ${isMatchable(now)} and ${isWanted(now)}
      and (pair.coupon_id = any(${couponIds}::integer[]) or (
        select count(*) < ${most} from (
          select from match_edges where match_edges.coupon_id = pair.coupon_id limit ${most}) as known))
    order by pair.coupon_id, pair.want_id
    on conflict do nothing`.execute(trx);
}

async function addLikelyEdges(trx: Trx, { couponIds, saves }: Changed, now: Date): Promise<void> {
  const most = sql.lit(KNOWN_MAX);
  await sql`
    insert into match_edges (taker_id, owner_id, coupon_id, gives_some)
    select pair.user_id, coupons.owner_id, coupons.id, false
    from (
      select each.coupon_id, liked.user_id from unnest(${couponIds}::integer[]) as each (coupon_id), lateral (
        (select user_id from saved_coupons where saved_coupons.coupon_id = each.coupon_id limit ${most})
        union (select user_id from match_wishes where match_wishes.coupon_id = each.coupon_id limit ${most})) as liked
      union
      select * from unnest(${saves.map(({ couponId }) => couponId)}::integer[],
        ${saves.map(({ userId }) => userId)}::integer[])
    ) as pair (coupon_id, user_id)
    join coupons on coupons.id = pair.coupon_id
    where coupons.owner_id <> pair.user_id and ${isMatchable(now)} and ${likes(sql`pair.user_id`)}
    order by pair.coupon_id, pair.user_id
    on conflict do nothing`.execute(trx);
}

/**
 * Has rings looked for again through the edges of coupons, of wants, of people, and between two people; also with both
 * of them, if neither blocks the other any more.
 */
export async function searchAgain(
  trx: Trx,
  given: {
    couponIds: readonly number[];
    wantIds: readonly number[];
    userIds: readonly number[];
    pairs: readonly (readonly [number, number])[];
  },
): Promise<void> {
  const { couponIds, wantIds, userIds, pairs } = given;
  if (couponIds.length + wantIds.length + userIds.length + pairs.length === 0) return;
  const most = sql.lit(AGAIN_MAX);
  const [ones, others] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  await sql`
    update match_edges set searched_at = null where searched_at is not null and id in (
      select edge.id from unnest(${couponIds}::integer[]) as each (id), lateral (
        select id from match_edges where coupon_id = each.id order by is_explicit desc, id desc limit ${most}) as edge
      union
      select edge.id from unnest(${wantIds}::integer[]) as each (id), lateral (
        select id from match_edges where want_id = each.id order by id desc limit ${most}) as edge
      union
      select edge.id from unnest(${userIds}::integer[]) as each (id), lateral (
        select id from match_edges where taker_id = each.id order by is_explicit desc, id desc limit ${most}) as edge
      union
      select edge.id from unnest(${ones}::integer[], ${others}::integer[]) as each (one, other), lateral (
        (select id from match_edges where (taker_id, owner_id) in ((one, other), (other, one)) limit ${most})
        union all (select id from match_edges where taker_id = one and not exists (
          select from user_blocks where (blocker_id, blocked_id) in ((one, other), (other, one)))
          order by is_explicit desc, id desc limit ${most})) as edge
    )`.execute(trx);
}

/** How many edges are followed from each person, by the number of steps to both sides: few steps can be broad. */
const FAN_OUT = [1, 50, 30, 12, 7] as const;
/** Edges that are followed from one person to another: one with many wants must not crowd out the others. */
const PAIR_MAX = 5;
/** How many times as many edges are read to find those. */
const READ_TIMES = 4;
/** Rings of one size that are read for one edge; the best of them are kept. */
const READ_MAX = 100;

/** The edges but those passed over through which rings have not been looked for, or the longest ago, oldest first. */
export async function listUnsearched(
  trx: Trx,
  given: { before: Date | null; limit: number; passedOver: readonly number[] },
): Promise<number[]> {
  const { before, limit, passedOver } = given;
  const since = before === null ? sql`` : sql` or searched_at < ${before}::timestamptz`;
  const { rows } = await sql<{ id: number }>`
    select id from match_edges where (searched_at is null${since}) and id <> all(${passedOver}::bigint[])
    order by searched_at nulls first, id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function markSearched(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  await sql`update match_edges set searched_at = ${at}::timestamptz where id = any(${ids}::bigint[])`.execute(
    trx,
  );
}

/**
 * The rings of a size through each of these edges, as edge ids from the given one on: the owner of each edge is the taker
 * of the next, and each taker gives the coupon of the edge before. It steps from both ends to the middle, with a bounded
 * number of edges from each person, explicit ones first, so that the cost does not grow with the marketplace.
 */
export async function findRings(trx: Trx, edgeIds: readonly number[], size: number): Promise<number[][]> {
  const steps = size - 2;
  const ahead = Math.ceil(steps / 2);
  const fanOut = sql.lit(FAN_OUT[steps] ?? 1);
  const edge = (index: number) => sql.raw(`e${index}`);
  // Person n takes by edge n what person n + 1 owns.
  const taker = (index: number): RawBuilder<unknown> => sql`${edge(index)}.taker_id`;
  const owner = (index: number): RawBuilder<unknown> => sql`${edge(index)}.owner_id`;
  /** Whether an edge's taker gives a coupon for it: any coupon, or one that the want names. */
  const gives = (
    of: RawBuilder<unknown>,
    couponId: RawBuilder<unknown>,
  ) => sql`(not ${of}.gives_some or exists (
    select from want_gifts where want_gifts.want_id = ${of}.want_id and want_gifts.coupon_id = ${couponId}))`;
  const candidate = sql.raw('match_edges');
  // Who takes by an edge gives what the edge before it takes.
  const givesLast = (index: number) => gives(candidate, sql`${edge(index)}.coupon_id`);
  const isGivenFor = (index: number) => gives(edge(index), sql`${candidate}.coupon_id`);
  const bestFirst = sql`order by is_explicit desc, id desc`;
  const read = sql.lit((FAN_OUT[steps] ?? 1) * READ_TIMES);
  const best = (partner: RawBuilder<unknown>, isNext: RawBuilder<unknown>) => sql`(
    select * from (
      select *, row_number() over (partition by ${partner} ${bestFirst}) as nth
      from (select * from match_edges where ${isNext} ${bestFirst} limit ${read}) as read) as ranked
    where nth <= ${sql.lit(PAIR_MAX)} ${bestFirst} limit ${fanOut})`;
  const known: RawBuilder<unknown>[] = [taker(0), owner(0)];
  const joins: RawBuilder<unknown>[] = [];
  for (let index = 1; index <= ahead; index += 1) {
    joins.push(
      sql`cross join lateral ${best(
        sql`owner_id`,
        sql`taker_id = ${owner(index - 1)} and owner_id not in (${sql.join([...known])}) and ${givesLast(index - 1)}`,
      )} as ${edge(index)}`,
    );
    known.push(owner(index));
  }
  for (let index = size - 1; index > ahead + 1; index -= 1) {
    const next = (index + 1) % size;
    joins.push(
      sql`cross join lateral ${best(
        sql`taker_id`,
        sql`owner_id = ${taker(next)} and taker_id not in (${sql.join([...known])}) and ${isGivenFor(next)}`,
      )} as ${edge(index)}`,
    );
    known.push(taker(index));
  }
  const middle = ahead + 1;
  const next = (middle + 1) % size;
  joins.push(sql`cross join lateral (select * from match_edges
    where taker_id = ${owner(ahead)} and owner_id = ${taker(next)} and ${givesLast(ahead)} and ${isGivenFor(next)} ${bestFirst} limit ${sql.lit(PAIR_MAX)}) as ${edge(middle)}`);
  const ids = sql.join(Array.from({ length: size }, (_, index) => sql`${edge(index)}.id`));
  const { rows } = await sql<{ ids: number[] }>`
    select ring.ids from unnest(${edgeIds}::bigint[]) as given (id)
    join match_edges as e0 on e0.id = given.id
    cross join lateral (
      select array[${ids}]::float8[] as ids from (select 1) as once ${sql.join(joins, sql` `)}
      limit ${sql.lit(READ_MAX)}) as ring
    order by ring.ids`.execute(trx);
  return rows.map((row) => row.ids);
}

/** What decides whether rings of these edges are matches, and how good they are. */
export async function readFacts(trx: Trx, edgeIds: readonly number[], now: Date): Promise<Facts> {
  const { rows: edges } = await sql<Edge>`
    select edge.id, taker_id, edge.owner_id, coupon_id, want_id, gives_some, is_explicit,
      case when discount_type = 'fixed' then value end as cents, coupons.expires_at as ends_at
    from match_edges as edge join coupons on coupons.id = edge.coupon_id and coupons.owner_id = edge.owner_id
    where edge.id = any(${edgeIds}::bigint[]) and ${isMatchable(now)}`.execute(trx);
  const userIds = [...new Set(edges.flatMap(({ takerId, ownerId }) => [takerId, ownerId]))];
  const { rows: people } = await sql<{ id: number; isIn: boolean; reputation: number }>`
    select id, ${takesPart(now)} as is_in,
      round(10 * (total_rating + 35.0) / (rating_count + 5))::integer as reputation
    from users where id = any(${userIds}::integer[])`.execute(trx);
  const { rows: blocks } = await sql<{ blockerId: number; blockedId: number }>`
    select blocker_id, blocked_id from user_blocks
    where blocker_id = any(${userIds}::integer[]) and blocked_id = any(${userIds}::integer[])`.execute(trx);
  const some = edges.filter(({ givesSome }) => givesSome).map(({ wantId }) => wantId);
  const { rows: gifts } = await sql<{ wantId: number; couponId: number }>`
    select want_id, coupon_id from want_gifts where want_id = any(${some}::integer[])`.execute(trx);
  const { rows: dismissals } = await sql<Dismissal>`
    select user_id, reason, coupon_id, gift_id, want_id, person_id, difference from match_dismissals
    where user_id = any(${userIds}::integer[])`.execute(trx);
  return {
    edges: new Map(edges.map((each) => [each.id, each])),
    people: new Map(people.map((each) => [each.id, each])),
    blocked: new Set(
      blocks.flatMap(({ blockerId, blockedId }) => [
        `${blockerId} ${blockedId}`,
        `${blockedId} ${blockerId}`,
      ]),
    ),
    gifts: new Set(gifts.map(({ wantId, couponId }) => `${wantId} ${couponId}`)),
    dismissals,
  };
}
