import { sql } from 'kysely';
import { addDays, utcDay } from '#server/core/clock.ts';
import { hasAtMostDaysLeft } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Trx } from '#server/database/client.ts';

/** A person to remind that a coupon is about to expire. */
export interface Reminder {
  readonly couponId: number;
  readonly userId: number;
  readonly title: string;
  readonly merchant: string;
  /** Its last day, `YYYY-MM-DD`. */
  readonly expiryDate: string;
  readonly isOwner: boolean;
}

/**
 * Records reminders of unused coupons with exactly so many days left, for owners and for people who have saved a listed coupon.
 * The primary key ensures that nobody is reminded twice. Returns the new reminders.
 */
export async function insertNewReminders(
  trx: Trx,
  { days, at, limit }: { days: number; at: Date; limit: number },
): Promise<Reminder[]> {
  const around = utcDay(addDays(at, days));
  const { rows } = await sql<Reminder>`
    with ending as (
      select id, owner_id, title, merchant, expiry_date, is_active from coupons
      -- For the index. Days differ by one around the world.
      where expiry_date between ${around}::date - 2 and ${around}::date and deleted_at is null and used_at is null
        and ${hasAtMostDaysLeft(sql.val(days), at)} and not ${hasAtMostDaysLeft(sql.val(days - 1), at)}
    ), due as (
      select id as coupon_id, owner_id as user_id, title, merchant, expiry_date, true as is_owner from ending
      union all
      select ending.id, saved_coupons.user_id, title, merchant, expiry_date, false
      from ending
      join saved_coupons on saved_coupons.coupon_id = ending.id and saved_coupons.user_id <> ending.owner_id
      where ending.is_active
    ), waiting as (
      select due.* from due
      left join expiry_reminders as past on past.coupon_id = due.coupon_id and past.user_id = due.user_id
        and past.days = ${days} and past.expiry_date = due.expiry_date
      where past.coupon_id is null
      limit ${limit}
    ), taken as (
      insert into expiry_reminders (coupon_id, user_id, days, expiry_date, created_at)
      select coupon_id, user_id, ${days}, expiry_date, ${at} from waiting
      on conflict do nothing
      returning coupon_id, user_id
    )
    select waiting.coupon_id, waiting.user_id, waiting.title, waiting.merchant, waiting.is_owner,
      waiting.expiry_date::text
    from waiting join taken using (coupon_id, user_id)
    order by waiting.coupon_id, waiting.user_id`.execute(trx);
  return rows;
}
