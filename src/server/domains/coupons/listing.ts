import { t } from '@lingui/core/macro';
import type { Page } from '#contract/base/primitives.ts';
import { daysLeft } from '#contract/coupons/coupon-facts.ts';
import type {
  Coupon,
  CouponFilters,
  ListAskableCouponsInput,
  ListCouponsInput,
  ListMerchantCouponsInput,
  ListOwnCouponsInput,
  ListSavedCouponsInput,
} from '#contract/coupons/coupons.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { searchedWords, typedWords } from '#server/database/search-words.ts';
import { countryOf } from '../accounts/service.ts';
import { blockedIdsOf } from '../blocks/service.ts';
import type { Context, MemberContext } from '../context.ts';
import * as keptStore from './kept-codes-store.ts';
import { isPersonal } from './rules.ts';
import * as savedStore from './saved-store.ts';
import { withSemaphore } from './search-semaphore.ts';
import * as searchStore from './search-store.ts';
import * as store from './store.ts';
import { toCoupon } from './view.ts';

/** How many codes of one merchant somebody shows one after the other. */
const AT_TILL_MAX = 50;

/**
 * Lists the coupons on offer, which are active and not expired. In a search, those that are valid in the caller's country
 * come first, and of these those with the words as they were typed, before synonyms; unless more match than are counted.
 * The country is that of a member's settings, or what we know of a visitor's.
 * @throws AppError bad_input on a page number beyond the counted rows, and on a cursor of another sort; unavailable
 *   when too many people search at once, or the search takes too long
 */
export async function listCoupons(ctx: Context, input: ListCouponsInput): Promise<Page<Coupon>> {
  const filter = await filterOf(ctx, input);
  const list = () => searchStore.listCoupons(ctx.db, filter, input, ctx.actor?.id ?? null);
  const hasText = filter.merchant.length + filter.search.length > 0;
  const { rows, ...page } = await (hasText ? withSemaphore(ctx.ip, list) : list());
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/** About how many coupons a search finds. */
export async function estimateCoupons(ctx: Context, input: CouponFilters): Promise<{ coupons: number }> {
  return { coupons: await searchStore.estimateCoupons(ctx.db, await filterOf(ctx, input)) };
}

/** The filters of a search for whoever asks: with folded words, without the coupons of people they have blocked. */
async function filterOf(ctx: Context, input: CouponFilters) {
  const { checkedDays } = input;
  const [merchant = []] = await typedWords(ctx.db, [input.merchant ?? '']);
  const search = await searchedWords(ctx.db, input.search ?? '');
  const now = ctx.clock();
  const checkedSince = checkedDays === undefined ? undefined : addDays(now, -checkedDays);
  const country = search.length === 0 ? null : await countryFor(ctx);
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  return { ...input, now, merchant, search, checkedSince, country, blockedIds };
}

/** The coupons on offer of one merchant, whose whole name is given. @throws AppError bad_input, as `listCoupons` */
export async function listMerchantCoupons(
  ctx: Context,
  { merchant, ...input }: ListMerchantCouponsInput,
): Promise<Page<Coupon>> {
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  const filter = { merchant, blockedIds, now: ctx.clock() };
  const { rows, ...page } = await searchStore.listMerchantCoupons(
    ctx.db,
    filter,
    input,
    ctx.actor?.id ?? null,
  );
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

async function countryFor(ctx: Context): Promise<string | null> {
  return ctx.actor ? countryOf({ ...ctx, actor: ctx.actor }) : (ctx.visitorCountry ?? null);
}

/** The caller's own coupons, expired ones included. @throws AppError bad_input, as `listCoupons` */
export async function listOwnCoupons(ctx: MemberContext, input: ListOwnCouponsInput): Promise<Page<Coupon>> {
  const search = await searchedWords(ctx.db, input.search ?? '');
  const filter = { ownerId: ctx.actor.id, search };
  const { rows, ...page } = await searchStore.listOwnCoupons(ctx.db, filter, input);
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/**
 * A person's coupons that the caller can ask for in a swap; none if the caller has blocked the person.
 * @throws AppError bad_input, as `listCoupons`
 */
export async function listAskableCoupons(
  ctx: MemberContext,
  { userId, ...input }: ListAskableCouponsInput,
): Promise<Page<Coupon>> {
  const blockedIds = await blockedIdsOf(ctx.db, ctx.actor.id);
  const ownerId = blockedIds.includes(userId) ? 0 : userId;
  const search = await searchedWords(ctx.db, input.search ?? '');
  const filter = { ownerId, search, now: ctx.clock() };
  const { rows, ...page } = await searchStore.listAskableCoupons(ctx.db, filter, input, ctx.actor.id);
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/** These coupons in the same order, without those that are deleted or hidden. */
export async function couponsByIds(ctx: Context, ids: readonly number[]): Promise<Coupon[]> {
  const rows = await store.findCoupons(ctx.db, ids, ctx.actor?.id ?? null);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [present(ctx, row)] : [];
  });
}

/** Those of these coupons that are on offer, in the same order; none of people whom the caller has blocked. */
export async function listViewedCoupons(ctx: Context, ids: readonly number[]): Promise<Coupon[]> {
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  const coupons = await couponsByIds(ctx, ids);
  const now = ctx.clock();
  return coupons.filter(
    ({ isActive, expiresAt, ownerId, category }) =>
      isActive &&
      (expiresAt === null || daysLeft(expiresAt, now) > 0) &&
      !isPersonal(category) &&
      !blockedIds.includes(ownerId),
  );
}

/**
 * The caller's coupons of the same merchant as one of theirs that can be shown at a till, those first that expire first;
 * none for a coupon that is not theirs.
 */
export async function listAtTill(ctx: MemberContext, couponId: number): Promise<Coupon[]> {
  const given = { ownerId: ctx.actor.id, at: ctx.clock(), limit: AT_TILL_MAX, couponId };
  return couponsByIds(ctx, await keptStore.listAtTill(ctx.db, given));
}

/** A row as the caller may see it. */
export function present(ctx: Context, row: store.CouponRow): Coupon {
  return toCoupon(row, ctx.actor?.id ?? null, ctx);
}

/** The coupons the caller has saved, latest first, without those that have been deleted or hidden since. */
export async function listSavedCoupons(
  ctx: MemberContext,
  input: ListSavedCouponsInput,
): Promise<Page<Coupon>> {
  const { rows, ...page } = await savedStore.listSaved(ctx.db, ctx.actor.id, input);
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/**
 * One coupon, live or expired. An imported public code is visible only to its owner.
 * @throws AppError not_found, also for deleted coupons
 */
export async function couponById(ctx: Context, id: number): Promise<Coupon> {
  const row = await findCoupon(ctx, ctx.db, id);
  if (isPersonal(row.category) && row.ownerId !== ctx.actor?.id) throw notFound(t`Coupon not found`);
  return present(ctx, row);
}

/** A coupon's row for the caller. @throws AppError not_found */
export async function findCoupon(
  ctx: Context,
  db: Context['db'] | Trx,
  id: number,
): Promise<store.CouponRow> {
  const row = await store.findCoupon(db, id, ctx.actor?.id ?? null);
  if (!row) throw notFound(t`Coupon not found`);
  return row;
}
