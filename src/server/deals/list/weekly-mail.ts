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
      const mails = await mailsTo(trx, people, at);
      await mailNews(trx, mails);
      count += mails.length;
      return people.at(-1);
    });
  }
  return count;
}

/** A mail to each of these people to whom there is something to say. */
async function mailsTo(trx: Trx, userIds: readonly number[], at: Date) {
  const since = addDays(at, -7);
  const waiting = await listing.countYoursOfEach(trx, userIds);
  const known = await store.listFacts(trx, { userIds, since, at, days: DAYS_AHEAD, named: NAMED });
  const { subject, body } = WEEKLY_MAIL;
  return known.flatMap(({ userId, ...facts }) => {
    const deals = waiting.get(userId) ?? 0;
    if (deals + facts.endingCount + facts.foundCount === 0) return [];
    const text = body({ ...facts, waiting: deals, days: DAYS_AHEAD });
    return [{ userId, type: 'weekly' as const, subject: subject(), body: text, link: paths.home, at }];
  });
}
