import { sql } from 'kysely';
import { addDays, utcDay } from '#server/core/clock.ts';
import type { Trx } from '#server/database/client.ts';

/** A person to remind that a coupon is about to expire. */
export interface Reminder {
  readonly couponId: number;
  readonly userId: number;
  readonly title: string;
  readonly merchant: string;
  readonly isOwner: boolean;
}

/**
 * Records reminders of unused coupons whose last day is so many days ahead in the last time zone, for owners and for people who
 * have saved a listed coupon. The primary key ensures that nobody is reminded twice. Returns the new reminders.
 */
export async function insertNewReminders(
  trx: Trx,
  { days, at, limit }: { days: number; at: Date; limit: number },
): Promise<Reminder[]> {
  const around = utcDay(addDays(at, days));
  const { rows } = await sql<Reminder>`
    with ending as (
      select id, owner_id, title, merchant, expiry_date, is_active from coupons
      -- Days differ by one around the world.
      where expiry_date between ${around}::date - 1 and ${around}::date + 1 and deleted_at is null
        and used_at is null
        and expiry_date - ${days}::integer
          = ((${at}::timestamptz at time zone 'UTC') + last_day_offset * interval '1 minute')::date
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
    select waiting.coupon_id, waiting.user_id, waiting.title, waiting.merchant, waiting.is_owner
    from waiting join taken using (coupon_id, user_id)
    order by waiting.coupon_id, waiting.user_id`.execute(trx);
  return rows;
}
