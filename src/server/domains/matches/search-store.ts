import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';
import { isMatchable, takesPart } from './edges-store.ts';
import type { Edge, Facts, Lesson } from './rules.ts';

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
 * of the next. It steps from both ends to the middle, with a bounded number of edges from each person, explicit ones
 * first, so that the cost does not grow with the marketplace.
 */
export async function findRings(trx: Trx, edgeIds: readonly number[], size: number): Promise<number[][]> {
  const steps = size - 2;
  const ahead = Math.ceil(steps / 2);
  const fanOut = sql.lit(FAN_OUT[steps] ?? 1);
  const edge = (index: number) => sql.raw(`e${index}`);
  // Person n takes by edge n what person n + 1 owns.
  const taker = (index: number): RawBuilder<unknown> => sql`${edge(index)}.taker_id`;
  const owner = (index: number): RawBuilder<unknown> => sql`${edge(index)}.owner_id`;
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
        sql`taker_id = ${owner(index - 1)} and owner_id not in (${sql.join([...known])})`,
      )} as ${edge(index)}`,
    );
    known.push(owner(index));
  }
  for (let index = size - 1; index > ahead + 1; index -= 1) {
    const next = index === size - 1 ? taker(0) : taker(index + 1);
    joins.push(
      sql`cross join lateral ${best(
        sql`taker_id`,
        sql`owner_id = ${next} and taker_id not in (${sql.join([...known])})`,
      )} as ${edge(index)}`,
    );
    known.push(taker(index));
  }
  const middle = ahead + 1;
  const closesAt = middle === size - 1 ? taker(0) : taker(middle + 1);
  joins.push(sql`cross join lateral (select * from match_edges
    where taker_id = ${owner(ahead)} and owner_id = ${closesAt} ${bestFirst} limit ${sql.lit(PAIR_MAX)}) as ${edge(middle)}`);
  const ids = sql.join(Array.from({ length: size }, (_, index) => sql`${edge(index)}.id`));
  const { rows } = await sql<{ ids: number[] }>`
    select ring.ids from unnest(${edgeIds}::bigint[]) as given (id)
    join match_edges as e0 on e0.id = given.id
    cross join lateral (
      select array[${ids}]::float8[] as ids from (select 1) as once ${sql.join(joins, sql` `)}
      limit ${sql.lit(READ_MAX)}) as ring`.execute(trx);
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
  const { rows: lessons } = await sql<Lesson>`
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
    lessons,
  };
}
