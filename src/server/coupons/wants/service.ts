import { t } from '@lingui/core/macro';
import { WANTS_MAX, WANTS_MAX_OF_ESTABLISHED } from '#contract/base/limits.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { PauseWantInput, UpdateWantInput, Want, WantFields } from '#contract/coupons/wants.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { couponsByIds } from '#server/coupons/core/finding.ts';
import { inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** The caller's wants, the latest first. */
export async function listWants(ctx: MemberContext): Promise<Want[]> {
  const rows = await store.listWants(ctx.db, { userId: ctx.actor.id, now: ctx.clock() });
  return rows.map(toWant);
}

/**
 * Keeps a search: from now on the caller is told of each coupon that is listed or changed so that the search finds it.
 * @throws AppError bad_input (a gift that is not the caller's), conflict (WANTS_MAX, for established people WANTS_MAX_OF_ESTABLISHED, or they look for the same already),
 *   rate_limited
 */
export async function createWant(ctx: MemberContext, { giftIds, ...fields }: WantFields): Promise<Want> {
  const userId = ctx.actor.id;
  await countChange(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const most = ctx.actor.isEstablished ? WANTS_MAX_OF_ESTABLISHED : WANTS_MAX;
    if ((await store.countWants(trx, userId)) >= most)
      throw new AppError('conflict', t`You can have at most ${most} wishes. Delete one first.`);
    const at = ctx.clock();
    const values = { ...columnsOf(fields), userId, lookedAt: at, createdAt: at, updatedAt: at };
    const id = await refuseSecond(store.insertWant(trx, values));
    await setGifts(trx, ctx, id, giftIds);
    return ownWant(trx, ctx, id);
  });
}

/**
 * Replaces what a want asks for and gives. Finds that no longer fit are not shown.
 * @throws AppError not_found (strangers too), bad_input, conflict (another want asks for the same), rate_limited
 */
export async function updateWant(
  ctx: MemberContext,
  { id, giftIds, ...fields }: UpdateWantInput,
): Promise<Want> {
  await countChange(ctx);
  return inTransaction(ctx.db, async (trx) => {
    const values = { ...columnsOf(fields), updatedAt: ctx.clock() };
    const isOwn = await refuseSecond(store.updateWant(trx, { id, userId: ctx.actor.id }, values));
    if (!isOwn) throw notFound(t`Want not found`);
    await setGifts(trx, ctx, id, giftIds);
    return ownWant(trx, ctx, id);
  });
}

/** While a want is paused, nothing is found for it. @throws AppError not_found (strangers too), rate_limited */
export async function pauseWant(ctx: MemberContext, { id, isPaused }: PauseWantInput): Promise<Want> {
  await countChange(ctx);
  const values = { isPaused, updatedAt: ctx.clock() };
  if (!(await store.updateWant(ctx.db, { id, userId: ctx.actor.id }, values)))
    throw notFound(t`Want not found`);
  return ownWant(ctx.db, ctx, id);
}

/** @throws AppError not_found, for strangers too */
export async function removeWant(ctx: MemberContext, id: number): Promise<void> {
  if (!(await store.deleteWant(ctx.db, { id, userId: ctx.actor.id }))) throw notFound(t`Want not found`);
}

/**
 * The coupons that came for a want since it was made and that can still be had, the latest first, up to FINDS_MAX.
 * @throws AppError not_found, for strangers too
 */
export async function foundBy(ctx: MemberContext, id: number): Promise<Coupon[]> {
  await ownWant(ctx.db, ctx, id);
  return couponsByIds(ctx, await store.listFinds(ctx.db, id, ctx.clock()));
}

/** Notes that the caller has seen what was found. @throws AppError not_found, for strangers too */
export async function markLooked(ctx: MemberContext, id: number): Promise<void> {
  const isOwn = await store.updateWant(ctx.db, { id, userId: ctx.actor.id }, { lookedAt: ctx.clock() });
  if (!isOwn) throw notFound(t`Want not found`);
}

/** Deletes the wants of a person who leaves. */
export async function forgetWants(trx: Trx, userId: number): Promise<void> {
  await store.deleteWantsOf(trx, userId);
}

/** Nobody is told twice of the same, nor has to guess which of two wants they have paused. */
function refuseSecond<Result>(write: Promise<Result>): Promise<Result> {
  return refuseDuplicate(
    write,
    'wants_one_of_a_kind',
    (cause) =>
      new AppError('conflict', t`This is already on your wish list. You can change it there.`, { cause }),
  );
}

function columnsOf(fields: Omit<WantFields, 'giftIds'>) {
  const { search, merchant, category, minValue, maxValue, expiryDays, checkedDays, region, gives } = fields;
  return {
    search: search || null,
    merchant: merchant || null,
    category: category ?? null,
    minValue: minValue ?? null,
    maxValue: maxValue ?? null,
    expiryDays: expiryDays ?? null,
    checkedDays: checkedDays ?? null,
    hasAskingPrice: fields.hasAskingPrice || null,
    region: region ?? null,
    gives,
  } satisfies Record<keyof typeof fields, unknown>;
}

async function setGifts(
  trx: Trx,
  ctx: MemberContext,
  wantId: number,
  giftIds: readonly number[],
): Promise<void> {
  const couponIds = [...new Set(giftIds)];
  const own = await store.setGifts(trx, { wantId, userId: ctx.actor.id, couponIds });
  if (own < couponIds.length) {
    throw fieldError('bad_input', 'giftIds', t`You can give only coupons of your own`);
  }
}

async function ownWant(db: MemberContext['db'] | Trx, ctx: MemberContext, id: number): Promise<Want> {
  const [row] = await store.listWants(db, { userId: ctx.actor.id, now: ctx.clock(), id });
  if (!row) throw notFound(t`Want not found`);
  return toWant(row);
}

function toWant({ lookedAt, createdAt, ...row }: store.WantRow): Want {
  return { ...row, lookedAt: lookedAt.toISOString(), createdAt: createdAt.toISOString() };
}

export { notifyOfCoupons, sendDigests } from './notify-of-coupons.ts';
