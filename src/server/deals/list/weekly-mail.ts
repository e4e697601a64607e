import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { mailNews } from '#server/people/notifications/service.ts';
import { WEEKLY_MAIL } from '#server/texts/deals.ts';
import * as listing from './store.ts';
import * as store from './weekly-mail-store.ts';

/** People per transaction. */
const AT_ONCE = 100;
/** Less than a week: the job of the next one may run a little earlier. */
const DAYS_BETWEEN = 6;
/** A coupon with at most so many days left is named. */
const DAYS_AHEAD = 14;
/** Of each kind of coupon; the others are counted. */
const NAMED = 3;

/**
 * Mails people once a week what waits for them, which of their coupons end soon, and what was found for their wishes.
 * Nobody gets a mail that would say nothing. May be repeated: it goes on where it stopped.
 * @param signal stops early, after the batch under way
 * @returns how many mails were written
 */
export async function sendWeeklyMails(ctx: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (let after: number | undefined = 0; after !== undefined && !signal?.aborted; ) {
    const from: number = after;
    after = await inTransaction(ctx.db, async (trx) => {
      const at = ctx.clock();
      const since = addDays(at, -DAYS_BETWEEN);
      const people = await store.takePeople(trx, { after: from, since, at, limit: AT_ONCE });
      for (const userId of people) if (await mailTo(trx, userId, at)) count += 1;
      return people.at(-1);
    });
  }
  return count;
}

/** @returns false where there is nothing to say */
async function mailTo(trx: Trx, userId: number, at: Date): Promise<boolean> {
  const since = addDays(at, -7);
  const waiting = await listing.countYours(trx, userId);
  const facts = await store.findFacts(trx, { userId, since, at, days: DAYS_AHEAD, named: NAMED });
  if (waiting + facts.endingCount + facts.foundCount === 0) return false;
  const { subject, body } = WEEKLY_MAIL;
  const text = body({ ...facts, waiting, days: DAYS_AHEAD });
  await mailNews(trx, [{ userId, type: 'weekly', subject: subject(), body: text, link: paths.home, at }]);
  return true;
}
