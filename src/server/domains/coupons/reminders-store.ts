import { sql } from 'kysely';
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
 * Records reminders of coupons whose last day is `lastDay`, and returns the new ones: for owners, and for people who
 * have saved a listed coupon. The primary key ensures that nobody is reminded twice.
 */
export async function insertNewReminders(
  trx: Trx,
  { days, lastDay, at, limit }: { days: number; lastDay: string; at: Date; limit: number },
): Promise<Reminder[]> {
  const { rows } = await sql<Reminder>`
    with due as (
      select coupons.id as coupon_id, coupons.owner_id as user_id, coupons.title, coupons.merchant, true as is_owner
      from coupons
      where coupons.expiry_date = ${lastDay} and coupons.deleted_at is null
      union all
      select coupons.id, saved_coupons.user_id, coupons.title, coupons.merchant, false
      from coupons
      join saved_coupons on saved_coupons.coupon_id = coupons.id and saved_coupons.user_id <> coupons.owner_id
      where coupons.expiry_date = ${lastDay} and coupons.deleted_at is null and coupons.is_active
    ), waiting as (
      select due.* from due
      left join expiry_reminders as past on past.coupon_id = due.coupon_id and past.user_id = due.user_id
        and past.days = ${days} and past.expiry_date = ${lastDay}
      where past.coupon_id is null
      limit ${limit}
    ), taken as (
      insert into expiry_reminders (coupon_id, user_id, days, expiry_date, created_at)
      select coupon_id, user_id, ${days}, ${lastDay}, ${at} from waiting
      on conflict do nothing
      returning coupon_id, user_id
    )
    select waiting.coupon_id, waiting.user_id, waiting.title, waiting.merchant, waiting.is_owner
    from waiting join taken using (coupon_id, user_id)
    order by waiting.coupon_id, waiting.user_id`.execute(trx);
  return rows;
}
