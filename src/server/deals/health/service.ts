import { type CouponHealth, MERCHANT_HEALTH_DAYS, type MerchantHealth } from '#contract/coupons/health.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { couponById, lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { inLongTransaction } from '#server/database/long-transaction.ts';
import { figureOf, healthOf, listedFigure, trustIn } from './figure.ts';
import * as store from './store.ts';

/** Coupons per transaction: people wait for those that are locked. */
const AT_ONCE = 100;
const MERCHANTS_AT_ONCE = 200;
const MERCHANT_SECONDS = 60;
/** How long what somebody said tells whether they are right. */
const RECORD_DAYS = 365;

/** How likely the code of a coupon is to work, with the reasons, as of now. @throws AppError not_found */
export async function healthOfCoupon(ctx: Context, id: number): Promise<CouponHealth> {
  await couponById(ctx, id);
  const [known] = await store.listKnown(ctx.db, [id], ctx.clock());
  if (!known) return { health: null, checkedAt: null, reasons: [] };
  return { ...healthOf(known.evidence), checkedAt: known.checkedAt?.toISOString() ?? null };
}

/** How likely the codes of a merchant are to work, as of the last night. Of an unknown merchant nothing is known. */
export async function healthOfMerchant(ctx: Context, { name }: { name: string }): Promise<MerchantHealth> {
  return (
    (await store.findMerchant(ctx.db, name)) ?? { health: null, checked: 0, valid: 0, worked: 0, failed: 0 }
  );
}

/**
 * Computes the figures of the coupons about which something has changed, in batches.
 * @param signal stops early, after the batch under way
 * @returns how many rows it took off the queue
 */
export async function refreshHealth(ctx: Context, signal?: AbortSignal): Promise<number> {
  let count = 0;
  for (let taken = AT_ONCE; taken === AT_ONCE && !signal?.aborted; count += taken) {
    taken = await inTransaction(ctx.db, async (trx) => {
      const queued = await store.takeQueued(trx, AT_ONCE);
      // An edit may change a code at the same time.
      await lockCoupons(trx, queued.couponIds);
      const known = await store.listKnown(trx, queued.couponIds, ctx.clock());
      await store.putHealth(trx, changedOf(known));
      return queued.taken;
    });
  }
  return count;
}

/** What is to be stored of these codes for lists: only where it differs from what is stored. */
function changedOf(known: readonly store.KnownCode[]) {
  return known.flatMap(({ id, checkedAt, evidence, storedHealth, storedCheckedAt }) => {
    const health = listedFigure(healthOf(evidence).health, storedHealth);
    const isSame = health === storedHealth && checkedAt?.getTime() === storedCheckedAt?.getTime();
    return isSame ? [] : [{ id, health, checkedAt }];
  });
}

/**
 * Counts who was right, computes the figures of merchants, and queues the coupons with a figure that is another by now:
 * what is known of them ages.
 * @param signal ends the search for these coupons early
 * @returns how many coupons it queued
 */
export async function sweepHealth(ctx: Context, signal?: AbortSignal): Promise<number> {
  const at = ctx.clock();
  await inTransaction(ctx.db, (trx) => store.countRecords(trx, addDays(at, -RECORD_DAYS)));
  await refreshMerchants(ctx, at);
  let count = 0;
  for (let after = 0; !signal?.aborted; ) {
    const ids = await store.listWithFigure(ctx.db, after, AT_ONCE);
    const last = ids.at(-1);
    if (last === undefined) break;
    const changed = changedOf(await store.listKnown(ctx.db, ids, at)).map(({ id }) => id);
    await store.queue(ctx.db, changed);
    count += changed.length;
    after = last;
  }
  return count;
}

async function refreshMerchants(ctx: Context, at: Date): Promise<void> {
  const since = addDays(at, -MERCHANT_HEALTH_DAYS);
  const figures = await inLongTransaction(ctx.db, MERCHANT_SECONDS, async (trx) =>
    (await store.listMerchants(trx, since)).map(toFigure),
  );
  for (let from = 0; from < figures.length; from += MERCHANTS_AT_ONCE)
    await store.putMerchants(ctx.db, figures.slice(from, from + MERCHANTS_AT_ONCE), at);
  await store.removeMerchants(ctx.db, at);
}

/** Each person has one vote about a merchant, and each code that its programme answered about is one. */
function toFigure({ merchant, checked, valid, people }: store.MerchantRow): store.MerchantFigure {
  const votes = people.map((person) => {
    const trust = trustIn(person);
    return { worked: trust * person.worked, failed: trust * (1 - person.worked) };
  });
  const worked = people.filter((person) => person.worked >= 0.5).length;
  return {
    merchant,
    health: figureOf([...votes, { worked: valid, failed: checked - valid }]),
    checked,
    valid,
    worked,
    failed: people.length - worked,
  };
}

export { checkAgain, checkOffers } from './checking.ts';
