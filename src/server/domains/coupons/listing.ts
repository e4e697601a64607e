import type {
  Coupon,
  CouponSort,
  ListCouponsInput,
  ListOwnCouponsInput,
  ListSavedCouponsInput,
} from '#contract/coupons.ts';
import { COUNT_CAP, type Page } from '#contract/primitives.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { fieldError, notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { decodeCursor, encodeCursor, isPersonal } from './rules.ts';
import * as savedStore from './saved-store.ts';
import * as store from './store.ts';
import { toCoupon } from './view.ts';

/**
 * The coupons on offer: active and not expired.
 * @throws AppError bad_input on `page` beyond the counted rows, on `after` if it is not a cursor of this sort
 */
export async function listCoupons(ctx: Context, input: ListCouponsInput): Promise<Page<Coupon>> {
  const { sort, limit, category, merchant = '', search = '', minValue, maxValue, expiryDays } = input;
  const now = ctx.clock();
  const expiresBy = expiryDays === undefined ? undefined : utcDay(addDays(now, expiryDays));
  const found = { category, merchant, search, minValue, maxValue, expiresBy };
  const filter = { ...found, sort, today: utcDay(now) };
  const [rows, counts] = await Promise.all([
    store.listCoupons(ctx.db, filter, sliceOf(input), ctx.actor?.id ?? null),
    store.countCoupons(ctx.db, filter),
  ]);
  return { ...toPage(ctx, rows, sort, limit), ...counts };
}

/** The caller's own coupons, expired ones included. @throws AppError bad_input, as `listCoupons` */
export async function listOwnCoupons(ctx: MemberContext, input: ListOwnCouponsInput): Promise<Page<Coupon>> {
  const filter = { ownerId: ctx.actor.id, search: input.search ?? '' };
  const [rows, counts] = await Promise.all([
    store.listOwnCoupons(ctx.db, filter, sliceOf(input)),
    store.countOwnCoupons(ctx.db, filter),
  ]);
  return { ...toPage(ctx, rows, input.sort, input.limit), ...counts };
}

type SliceInput = Pick<ListCouponsInput, 'page' | 'limit' | 'sort' | 'after'>;

/** What to read for a page: one row more than it shows, to know whether there is a next page. */
function sliceOf({ page, limit, sort, after }: SliceInput): store.Slice {
  const slice = { sort, after: null, offset: 0, limit: limit + 1 };
  if (after !== undefined) {
    const place = decodeCursor(sort, after);
    if (!place) throw fieldError('bad_input', 'after', 'Is not a cursor of this list in this order');
    return { ...slice, after: place };
  }
  const offset = (page - 1) * limit;
  if (offset > 0 && offset >= COUNT_CAP) {
    const text = `Pages go no further than ${COUNT_CAP} coupons. Go on with \`after\`, the cursor of the page before.`;
    throw fieldError('bad_input', 'page', text);
  }
  return { ...slice, offset };
}

function toPage(
  ctx: Context,
  rows: Awaited<ReturnType<typeof store.listCoupons>>,
  sort: CouponSort,
  limit: number,
): Pick<Page<Coupon>, 'items' | 'nextCursor'> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map((row) => present(ctx, row)), nextCursor: last ? cursorAt(sort, last) : null };
}

function cursorAt(sort: CouponSort, row: Awaited<ReturnType<typeof store.listCoupons>>[number]): string {
  const key = row.sortKey instanceof Date ? row.sortKey.toISOString() : row.sortKey;
  return encodeCursor(sort, { key, id: row.id });
}

/** A row as the caller may see it. */
export function present(ctx: Context, row: store.CouponRow): Coupon {
  return toCoupon(row, ctx.actor?.id ?? null, ctx.vault);
}

/** The coupons the caller has saved, latest first, without those that have been deleted or hidden since. */
export async function listSavedCoupons(
  ctx: MemberContext,
  input: ListSavedCouponsInput,
): Promise<Page<Coupon>> {
  const { rows, ...counts } = await savedStore.listSaved(ctx.db, ctx.actor.id, input);
  return { items: rows.map((row) => present(ctx, row)), ...counts, nextCursor: null };
}

/**
 * One coupon, live or expired. An imported public code is visible only to its owner.
 * @throws AppError not_found, also for deleted coupons
 */
export async function couponById(ctx: Context, id: number): Promise<Coupon> {
  const row = await findCoupon(ctx, ctx.db, id);
  if (isPersonal(row.category) && row.ownerId !== ctx.actor?.id) throw notFound('Coupon');
  return present(ctx, row);
}

/** A coupon's row for the caller. @throws AppError not_found */
export async function findCoupon(
  ctx: Context,
  db: Context['db'] | Trx,
  id: number,
): Promise<store.CouponRow> {
  const row = await store.findCoupon(db, id, ctx.actor?.id ?? null);
  if (!row) throw notFound('Coupon');
  return row;
}
