import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { notifyAll } from '#server/people/notifications/service.ts';
import { MATCH_TEXTS } from '#server/texts/deals.ts';
import type { StoredText } from '#server/texts/stored.ts';
import * as store from './list-store.ts';
import { lockFinder } from './queue-store.ts';
import { legsFrom } from './rules.ts';

/** People per transaction. */
const AT_ONCE = 100;

/** Nobody is told of matches more often. */
const QUIET_MS = 3_600_000;

/**
 * Tells people of new matches in which everybody gets what they look for, each at most once an hour: one notice for all
 * that came. Of the same swap, what for what, nobody is told twice, however often it goes and comes back.
 * @returns how many people were told
 */
export async function notifyOfMatches(ctx: Context): Promise<number> {
  let count = 0;
  for (let taken = AT_ONCE; taken === AT_ONCE; ) {
    taken = await inTransaction(ctx.db, async (trx) => {
      // Who finds matches changes the same legs in another order: the two would wait for each other.
      await lockFinder(trx);
      const at = ctx.clock();
      const userIds = await store.takeTurn(trx, {
        at,
        quietSince: new Date(at.getTime() - QUIET_MS),
        limit: AT_ONCE,
      });
      for (const userId of userIds) {
        const matchIds = await store.takeUnnotified(trx, userId);
        const open = await store.listOpen(trx, { userId, now: at });
        const ids = open.map(({ id }) => id).filter((id) => matchIds.includes(id));
        const news = await store.noteNotified(trx, userId, ids);
        const [best, ...more] = open.filter(({ id }) => news.includes(id));
        if (!best) continue;
        await notifyAll(trx, [
          {
            userId,
            type: 'match',
            content: textOf(best, more.length, userId),
            relatedId: null,
            link: paths.matches,
            at,
          },
        ]);
        count += 1;
      }
      return userIds.length;
    });
  }
  return count;
}

function textOf(match: store.MatchRow, more: number, userId: number): StoredText {
  const legs = legsFrom(match.legs, userId);
  const [given, got] = [legs[0], legs.at(-1)];
  return MATCH_TEXTS[legs.length === 2 ? 'swap' : 'ring']({
    partner: given?.receiver.username ?? '',
    people: legs.length,
    given: given?.coupon.title ?? '',
    got: got?.coupon.title ?? '',
    more,
  });
}
