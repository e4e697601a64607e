import { paths } from '#contract/pages.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { notifyAll } from '../notifications/service.ts';
import { REMINDER_TEXTS } from '../notifications/texts/coupons.ts';
import { insertNewReminders } from './reminders-store.ts';

/** How many days before the last day a coupon's owner and those who have saved it are reminded. */
const DAYS_BEFORE = [7, 1] as const;

const REMINDERS_AT_ONCE = 500;

/**
 * Reminds owners of their coupons, and people of coupons they have saved, 7 days and 1 day before the last day. Each
 * reminder is sent once, even if this runs repeatedly or in several processes.
 * @returns how many reminders were sent
 */
export async function remindOfExpiry(ctx: Context): Promise<number> {
  let count = 0;
  for (const days of DAYS_BEFORE) {
    for (let taken = REMINDERS_AT_ONCE; taken === REMINDERS_AT_ONCE; count += taken) {
      taken = await inTransaction(ctx.db, async (trx) => {
        const at = ctx.clock();
        const reminders = await insertNewReminders(trx, { days, at, limit: REMINDERS_AT_ONCE });
        await notifyAll(
          trx,
          reminders.map((reminder) => ({
            userId: reminder.userId,
            type: 'other' as const,
            content: REMINDER_TEXTS[days][reminder.isOwner ? 'owner' : 'saver']({
              coupon: reminder.title,
              merchant: reminder.merchant,
            }),
            relatedId: reminder.couponId,
            link: reminder.isOwner ? paths.myCoupon(reminder.couponId) : paths.coupon(reminder.couponId),
            mailSubject: REMINDER_TEXTS[days].subject(),
            at,
          })),
        );
        return reminders.length;
      });
    }
  }
  return count;
}
