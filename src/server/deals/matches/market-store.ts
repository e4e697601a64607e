import { type RawBuilder, sql } from 'kysely';
import type { Invitation } from '#contract/deals/matches.ts';
import { utcDay } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { isMatchable, takesPart } from './edges-store.ts';

/** A merchant that has coupons, as the newest of them spells it, by the name that somebody has typed. */
const merchantNamed = (typed: RawBuilder<unknown>) => sql`(
  select coupons.merchant as name from coupons
  where coupons.merchant_text = fold_text(${typed}) and coupons.is_active
  order by coupons.created_at desc, coupons.id desc limit 1) as merchant`;

/** Stores how many swaps are suggested, and how many of them can happen together. */
export async function putDay(trx: Trx, now: Date): Promise<void> {
  await sql`
    insert into market_days (day, suggested, possible, coupons)
    select ${utcDay(now)}::date, count(*), count(*) filter (where is_chosen), coalesce(sum(size) filter (where is_chosen), 0)
    from matches where state = 'open'
    on conflict (day) do update
      set suggested = excluded.suggested, possible = excluded.possible, coupons = excluded.coupons`.execute(
    trx,
  );
}

/**
 * Replaces the merchants for whose coupons most people would swap: they look for one, have a coupon that they give for it,
 * and no chosen match brings it to them.
 * @param given.least so many people at least, so that nobody is named by it and no two accounts can place a name there
 */
export async function replaceInvitations(
  trx: Trx,
  given: { now: Date; least: number; limit: number },
): Promise<void> {
  const { now, least, limit } = given;
  await trx.deleteFrom('marketInvitations').execute();
  await sql`
    insert into market_invitations (merchant, people)
    select merchant.name, sum(asked.people) from (
      select min(wants.merchant) as typed, count(distinct wants.user_id) as people
      from wants join users on users.id = wants.user_id
      where wants.merchant is not null and not wants.is_paused and wants.gives <> 'nothing' and ${takesPart(now)}
        and exists (select from coupons where coupons.owner_id = wants.user_id and ${isMatchable(now)}
          and (wants.gives = 'any' or exists (
            select from want_gifts where want_gifts.want_id = wants.id and want_gifts.coupon_id = coupons.id)))
        and not exists (select from match_legs as leg join matches on matches.id = leg.match_id
          where leg.want_id = wants.id and matches.state = 'open' and matches.is_chosen)
      group by fold_text(wants.merchant) having count(distinct wants.user_id) >= ${least}
    ) as asked cross join lateral ${merchantNamed(sql`asked.typed`)}
    group by merchant.name
    order by 2 desc, 1 limit ${limit}`.execute(trx);
}

/** The latest day of the market; undefined before its first night. */
export async function latestDay(db: Database) {
  return db
    .selectFrom('marketDays')
    .select([sql<string>`day::text`.as('day'), 'suggested', 'possible', 'coupons'])
    .orderBy('marketDays.day', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The merchants for whose coupons most people would swap, without those that the viewer looks for. */
export async function listInvitations(
  db: Database,
  given: { userId: number | null; limit: number },
): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select merchant, people, false as is_swap from market_invitations as invitation
    where not exists (select from wants
      where wants.user_id = ${given.userId} and fold_text(wants.merchant) = fold_text(invitation.merchant))
    order by people desc, merchant limit ${given.limit}`.execute(db);
  return rows;
}

/** How many of the coupons that a person would take are looked at. */
const TAKES_MAX = 50;

/**
 * The merchants of which one more coupon would bring a person a swap: somebody has what the person would take, and gives
 * it for such a coupon.
 */
export async function listOwnInvitations(
  db: Database,
  given: { userId: number; now: Date; limit: number },
): Promise<Invitation[]> {
  const { userId, now, limit } = given;
  const { rows } = await sql<Invitation>`
    select merchant.name as merchant, count(distinct wanted.user_id)::integer as people, true as is_swap
    from (
      select wants.user_id, wants.merchant as typed
      from (select owner_id, coupon_id from match_edges where taker_id = ${userId}
        order by is_explicit desc, id desc limit ${sql.lit(TAKES_MAX)}) as takes
      join coupons on coupons.id = takes.coupon_id and coupons.owner_id = takes.owner_id
      join users on users.id = takes.owner_id
      join wants on wants.user_id = takes.owner_id
      where ${isMatchable(now)} and ${takesPart(now)}
        and wants.merchant is not null and not wants.is_paused and (wants.gives = 'any' or exists (
          select from want_gifts where want_gifts.want_id = wants.id and want_gifts.coupon_id = coupons.id))
        and not exists (select from user_blocks
          where blocker_id = ${userId} and blocked_id = wants.user_id
            or blocker_id = wants.user_id and blocked_id = ${userId})
        and not exists (select from coupons as own where own.owner_id = ${userId} and own.is_active
          and own.merchant_text = fold_text(wants.merchant))
    ) as wanted cross join lateral ${merchantNamed(sql`wanted.typed`)}
    group by merchant.name
    order by 2 desc, 1 limit ${limit}`.execute(db);
  return rows;
}
