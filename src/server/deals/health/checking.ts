import { paths } from '#contract/base/pages.ts';
import type { Context } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { askAboutOffer, checkUnchanged } from '#server/coupons/codes/service.ts';
import type { AskedCode } from '#server/coupons/codes/validation.ts';
import { delistCoupon, lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { cancelPendingDeals } from '#server/deals/lifecycle/service.ts';
import { notify, recordLog } from '#server/people/notifications/service.ts';
import type { AskedAccount } from '#server/providers/validators/validators.ts';
import { COUPON_HISTORY, DEAD_CODE } from '#server/texts/coupons.ts';
import * as store from './checking-store.ts';

/** Nobody asks about a code twice within a day. */
const REST_DAYS = 1;
const RUNS_PER_DAY = 24;
const BUDGETS_KEPT_DAYS = 7;

/** What a run has done. */
export interface Checked {
  readonly asked: number;
  /** Coupons that were taken off the lists. */
  readonly refused: number;
}

/**
 * Asks the merchants' own accounts again about codes on offer, those first that have waited longest. Each account gets at
 * most the questions of its day's budget, in about equal parts over the day; an account that does not answer gets no more
 * in this run. A "no" takes the coupon off the lists and tells its owner. Meant for every hour.
 * @param signal stops early, after the question under way
 */
export async function checkOffers(ctx: Context, signal?: AbortSignal): Promise<Checked> {
  let [asked, refused] = [0, 0];
  for (const account of ctx.providers.validators.accounts()) {
    const done = await checkAccount(ctx, account, signal);
    asked += done.asked;
    refused += done.refused;
  }
  await store.forgetBudgets(ctx.db, utcDay(addDays(ctx.clock(), -BUDGETS_KEPT_DAYS)));
  return { asked, refused };
}

async function checkAccount(ctx: Context, account: AskedAccount, signal?: AbortSignal): Promise<Checked> {
  const { id, merchants, checksPerDay: budget } = account;
  const now = ctx.clock();
  const limit = Math.ceil(budget / RUNS_PER_DAY);
  const due = await store.listDue(ctx.db, { merchants, before: addDays(now, -REST_DAYS), now, limit });
  return ask(ctx, { due, spendOf: { account: id, day: utcDay(now), budget } }, signal);
}

/** Asks about one code after the other, until the budget is spent or the account does not answer. */
async function ask(
  ctx: Context,
  { due, spendOf }: { due: readonly number[]; spendOf: { account: string; day: string; budget: number } },
  signal?: AbortSignal,
): Promise<Checked> {
  let [asked, refused] = [0, 0];
  for (const couponId of due) {
    if (signal?.aborted) break;
    if (!(await store.spend(ctx.db, spendOf))) break;
    await store.noteAsked(ctx.db, couponId, ctx.clock());
    const code = await askAboutOffer(ctx, couponId);
    if (code === null) continue;
    asked += 1;
    if (code.answer === 'unreached') break;
    if (code.answer === 'refused' && (await takeOff(ctx, code))) refused += 1;
  }
  return { asked, refused };
}

/**
 * Asks the merchants' own accounts about the codes of these coupons now, within their budgets of the day. A "no" takes the coupon
 * off the lists and tells its owner.
 * @param signal stops early, after the question under way
 */
export async function checkAgain(
  ctx: Context,
  couponIds: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const { id, merchants, checksPerDay: budget } of ctx.providers.validators.accounts()) {
    const now = ctx.clock();
    const due = await store.listOf(ctx.db, { merchants, couponIds });
    await ask(ctx, { due, spendOf: { account: id, day: utcDay(now), budget } }, signal);
  }
}

/**
 * Takes a coupon with a refused code off the lists, ends the pending deals on it and tells its owner.
 * @returns false if the code has changed meanwhile, or a deal holds the coupon: its completion asks again
 */
async function takeOff(ctx: Context, code: AskedCode): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const { couponId, title, merchant } = code;
    const [coupon] = await lockCoupons(trx, [couponId]);
    if (!coupon?.isActive || coupon.heldBy !== null) return false;
    try {
      await checkUnchanged(trx, ctx, [code]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'deal_changed') return false;
      throw error;
    }
    const at = ctx.clock();
    await cancelPendingDeals(trx, { couponIds: [couponId], reason: 'code_refused', at, actorId: null });
    await delistCoupon(trx, couponId, at);
    const { ownerId } = coupon;
    const details = COUPON_HISTORY.refused({ coupon: title });
    await recordLog(trx, { userId: ownerId, actorId: null, action: 'updated', details, couponId, at });
    await notify(trx, {
      userId: ownerId,
      type: 'other',
      content: DEAD_CODE.text({ coupon: title, merchant }),
      relatedId: couponId,
      link: paths.myCoupon(couponId),
      mailSubject: DEAD_CODE.subject(),
      at,
    });
    return true;
  });
}
