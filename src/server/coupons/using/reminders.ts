import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { notifyAll } from '#server/people/notifications/service.ts';
import { DAYS_LEFT_TEXTS } from '#server/texts/coupons.ts';
import { insertNewReminders } from './reminders-store.ts';

/** A coupon's owner and those who have saved it are reminded when so many days are left: the last time the day before it ends. */
const REMINDER_DAYS = [7, 2] as const;

const REMINDERS_AT_ONCE = 500;

/**
 * Reminds owners of their coupons, and people of coupons they have saved, when 7 days and when 2 days are left. Each
 * reminder is sent once, even if this runs repeatedly or in several processes.
 * @returns how many reminders were sent
 */
export async function remindOfExpiry(ctx: Context): Promise<number> {
  let count = 0;
  for (const days of REMINDER_DAYS) {
    for (let taken = REMINDERS_AT_ONCE; taken === REMINDERS_AT_ONCE; count += taken) {
      taken = await inTransaction(ctx.db, async (trx) => {
        const at = ctx.clock();
        const reminders = await insertNewReminders(trx, { days, at, limit: REMINDERS_AT_ONCE });
        await notifyAll(
          trx,
          reminders.map((reminder) => ({
            userId: reminder.userId,
            type: 'other' as const,
            content: DAYS_LEFT_TEXTS[reminder.isOwner ? 'owner' : 'saver']({
              coupon: reminder.title,
              merchant: reminder.merchant,
              days,
              day: reminder.expiryDate,
            }),
            relatedId: reminder.couponId,
            link: reminder.isOwner ? paths.myCoupon(reminder.couponId) : paths.coupon(reminder.couponId),
            mailSubject: DAYS_LEFT_TEXTS.subject({ days }),
            at,
          })),
        );
        return reminders.length;
      });
    }
  }
  return count;
}
