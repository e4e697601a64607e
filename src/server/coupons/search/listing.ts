import type { Page } from '#contract/base/primitives.ts';
import { isOnOffer } from '#contract/coupons/cards.ts';
import type {
  Coupon,
  CouponFilters,
  ListAskableCouponsInput,
  ListCouponsInput,
  ListMerchantCouponsInput,
  ListOwnCouponsInput,
} from '#contract/coupons/coupons.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { couponsByIds, present } from '#server/coupons/core/finding.ts';
import { isPersonal } from '#server/coupons/core/rules.ts';
import { searchedWords, typedWords } from '#server/database/search-words.ts';
import { countryOf } from '#server/people/accounts/service.ts';
import { blockedIdsOf } from '#server/people/blocks/service.ts';
import { withSemaphore } from './search-semaphore.ts';
import * as searchStore from './search-store.ts';

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
  const { rows, ...page } = await inTurn(ctx, filter, list);
  return { items: rows.map((row) => present(ctx, row)), ...page };
}

/** How many coupons a search finds, up to SEARCH_COUNT_CAP. @throws AppError unavailable, as `listCoupons` */
export async function countCoupons(ctx: Context, input: CouponFilters) {
  const filter = await filterOf(ctx, input);
  return inTurn(ctx, filter, () => searchStore.countCoupons(ctx.db, filter));
}

/** Searches for a text wait for their turn. */
function inTurn<Found>(
  { ip }: Pick<Context, 'ip'>,
  { merchant, search }: Awaited<ReturnType<typeof filterOf>>,
  find: () => Promise<Found>,
): Promise<Found> {
  return merchant.length + search.length > 0 ? withSemaphore(ip, find) : find();
}

/** The filters of a search for whoever asks: with folded words, without the coupons of people they have blocked. */
async function filterOf(ctx: Context, input: CouponFilters) {
  const { category, minValue, maxValue, expiryDays, checkedDays, hasAskingPrice, ...typed } = input;
  const [merchant = []] = await typedWords(ctx.db, [typed.merchant ?? '']);
  const search = await searchedWords(ctx.db, typed.search ?? '');
  const now = ctx.clock();
  const checkedSince = checkedDays === undefined ? undefined : addDays(now, -checkedDays);
  const country = search.length === 0 ? null : await countryFor(ctx);
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  return {
    ...{ category, minValue, maxValue, expiryDays, hasAskingPrice, merchant, search },
    ...{ now, checkedSince, country, blockedIds },
  } satisfies Record<Exclude<keyof CouponFilters, 'checkedDays'>, unknown>;
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

/** Those of these coupons that are on offer, in the same order; none of people whom the caller has blocked. */
export async function listViewedCoupons(ctx: Context, ids: readonly number[]): Promise<Coupon[]> {
  const blockedIds = ctx.actor ? await blockedIdsOf(ctx.db, ctx.actor.id) : [];
  const coupons = await couponsByIds(ctx, ids);
  const now = ctx.clock();
  return coupons.filter(
    (coupon) =>
      isOnOffer(coupon, now) && !isPersonal(coupon.category) && !blockedIds.includes(coupon.ownerId),
  );
}
