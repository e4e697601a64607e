import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { endDeals } from './apply.ts';
import { type DueDeal, decideExpiry } from './decide.ts';
import * as store from './expiry-store.ts';

/** Deals of each kind ended per run; the rest waits for the next. */
const DUE_AT_ONCE = 500;

/**
 * Ends the deals whose time is up (decisions 3.6): pending deals and accepted exchanges past their deadline, and
 * pending deals on an expired coupon. Each deal has its own transaction, so that a failure does not hold up the rest.
 * Accepted bids are left to payments, as money may be on its way.
 * @returns the number of ended deals
 */
export async function expireDeals(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const limit = DUE_AT_ONCE;
  const exchanges = await store.listDueExchanges(ctx.db, {
    now,
    pendingBefore: addDays(now, -DEADLINE_DAYS.exchangePending),
    acceptedBefore: addDays(now, -DEADLINE_DAYS.exchangeAccepted),
    limit,
  });
  const bids = await store.listDueBids(ctx.db, {
    now,
    pendingBefore: addDays(now, -DEADLINE_DAYS.bidPending),
    limit,
  });
  let count = 0;
  for (const due of [...exchanges, ...bids]) {
    try {
      count += await inTransaction(ctx.db, (trx) => expire(trx, due, now));
    } catch (error) {
      const about = due.kind === 'bid' ? { bidId: due.id } : { exchangeId: due.id };
      ctx.log.error({ err: error, ...about }, 'a deal whose time is up could not be ended');
    }
  }
  return count;
}

/** @returns 0 if a person has acted since it was found, else 1 */
async function expire(trx: Trx, due: DueDeal, at: Date): Promise<number> {
  const ending = decideExpiry(due, await lockCoupons(trx, due.couponIds), at);
  return ending === null ? 0 : endDeals(trx, ending);
}
