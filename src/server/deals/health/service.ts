import { type CouponHealth, MERCHANT_HEALTH_DAYS, type MerchantHealth } from '#contract/coupons/health.ts';
import type { Context } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { couponById, lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { inLongTransaction } from '#server/database/long-transaction.ts';
import { figureOf, healthOf, trustIn } from './figure.ts';
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
      const figures = known.map(({ id, checkedAt, evidence }) => ({
        id,
        checkedAt,
        health: healthOf(evidence).health,
      }));
      await store.putHealth(trx, figures);
      return queued.taken;
    });
  }
  return count;
}

/**
 * Counts who was right, computes the figures of merchants, and queues all coupons with a figure, because what is known of
 * them ages.
 * @returns how many coupons it queued
 */
export async function sweepHealth(ctx: Context): Promise<number> {
  const at = ctx.clock();
  await inTransaction(ctx.db, (trx) => store.countRecords(trx, addDays(at, -RECORD_DAYS)));
  await refreshMerchants(ctx, at);
  return store.queueAll(ctx.db);
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

export { checkOffers } from './checking.ts';
