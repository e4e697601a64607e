import { sql } from 'kysely';
import { hasAtMostDaysLeft } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';

interface Named {
  readonly title: string;
  readonly merchant: string;
}

/** What a person's weekly mail names of their coupons and wishes, with the number of all. */
export interface WeeklyFacts {
  readonly userId: number;
  readonly ending: readonly (Named & { readonly day: string })[];
  readonly endingCount: number;
  readonly found: readonly Named[];
  readonly foundCount: number;
}

/**
 * Marks the next people in the order of their ids as considered, and returns them: members who can get mail, want this
 * one, and were not considered since.
 */
export async function takePeople(
  trx: Trx,
  { after, since, at, limit }: { after: number; since: Date; at: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with next as (
      select id from users
      where id > ${after} and created_at < ${since} and (weekly_mail_at is null or weekly_mail_at < ${since})
        and status <> 'banned' and deleted_at is null and email_verified_at is not null
        and not exists (select from notification_preferences as preference
          where preference.user_id = users.id and preference.type = 'weekly' and not preference.mail)
      order by id limit ${limit} for no key update)
    update users set weekly_mail_at = ${at} from next where users.id = next.id returning users.id`.execute(
    trx,
  );
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** Coupons of each of these people with at most `days` left, and live ones found for their wishes since; `named` of each. */
export async function listFacts(
  db: Database | Trx,
  given: { userIds: readonly number[]; since: Date; at: Date; days: number; named: number },
): Promise<WeeklyFacts[]> {
  const { userIds, since, at, days, named } = given;
  const { rows } = await sql<WeeklyFacts>`
    select person.id as user_id, facts.* from unnest(${[...userIds]}::integer[]) as person (id) cross join lateral (
      with ending as (
        select title, merchant, expiry_date::text as day, expires_at, id from coupons
        where owner_id = person.id and deleted_at is null and used_at is null
          and expires_at >= ${at} and ${hasAtMostDaysLeft(sql.val(days), at)}),
      found as (
        select coupons.title, coupons.merchant, coupons.id
        from want_notifications as notice join coupons on coupons.id = notice.coupon_id
        where notice.user_id = person.id and notice.notified_at >= ${since}
          and coupons.is_active and coalesce(coupons.expires_at, 'infinity') >= ${at})
      select (select count(*)::integer from ending) as ending_count, (select count(*)::integer from found) as found_count,
        (select coalesce(json_agg(json_build_object('title', title, 'merchant', merchant, 'day', day)
          order by expires_at, id), '[]') from (select * from ending order by expires_at, id limit ${named}) as first) as ending,
        (select coalesce(json_agg(json_build_object('title', title, 'merchant', merchant)
          order by id desc), '[]') from (select * from found order by id desc limit ${named}) as first) as found) as facts
    order by person.id`.execute(db);
  return rows;
}
