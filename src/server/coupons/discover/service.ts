import { t } from '@lingui/core/macro';
import type { Page } from '#contract/base/primitives.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import {
  type DiscoverCoupon,
  type DiscoverGroup,
  type DiscoverInput,
  IMPORT_ALL_MAX,
  type ImportAllInput,
  type ImportInput,
  type MerchantOffersInput,
} from '#contract/coupons/discover.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { merchantKey } from '#server/core/text.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { countCodeTry } from '#server/coupons/core/code-tries.ts';
import { endOfDay } from '#server/coupons/core/last-day.ts';
import { importCoupon } from '#server/coupons/publishing/service.ts';
import { typedWords } from '#server/database/search-words.ts';
import { countryOf } from '#server/people/accounts/service.ts';
import type { GroupedOfferRow, OfferRow } from './store.ts';
import * as store from './store.ts';

/** More imports than an honest person makes. */
const IMPORT_LIMIT: RateLimit = { name: 'import', points: 120, seconds: 3_600 };
const IMPORT_ALL_LIMIT: RateLimit = { name: 'import-all', points: 20, seconds: 3_600 };

/**
 * Merchants with public offers that are valid today, by name, each with its first offers. Offers that count in the
 * country of the person's settings come first, those that work most surely before others.
 * @throws AppError bad_input on a page beyond the limit
 */
export async function listDiscover(
  ctx: MemberContext,
  { search = '', ...paging }: DiscoverInput,
): Promise<Page<DiscoverGroup>> {
  const [words = []] = await typedWords(ctx.db, [search]);
  const { rows, ...page } = await store.listGroups(
    ctx.db,
    { ...viewerOf(ctx), country: await countryOf(ctx), search: words },
    paging,
  );
  return { items: toGroups(rows), ...page };
}

/** The offers of one merchant that are valid today; empty for an unknown merchant. @throws AppError bad_input */
export async function listMerchantOffers(
  ctx: MemberContext,
  { merchant, ...paging }: MerchantOffersInput,
): Promise<Page<DiscoverCoupon>> {
  const { rows, ...page } = await store.listOffers(
    ctx.db,
    { ...viewerOf(ctx), country: await countryOf(ctx), key: merchantKey(merchant) },
    paging,
  );
  return { items: rows.map(toDiscoverCoupon), ...page };
}

/**
 * Imports a public offer as the caller's coupon (decisions 2.6), with the feed's data.
 * @throws AppError not_found if there is no such offer today, code_listed if the caller has it already, rate_limited
 */
export async function importOffer(ctx: MemberContext, { code, merchant }: ImportInput): Promise<Coupon> {
  await enforceLimit(ctx.limiter, IMPORT_LIMIT, String(ctx.actor.id));
  const identity = codeFingerprint(ctx.vault, merchant, code);
  const offer = await store.findOffer(ctx.db, viewerOf(ctx), identity);
  if (!offer) {
    // An offer that is there is public; a code that is not may be a guess.
    await countCodeTry(ctx, { merchant, code });
    throw notFound(t`Coupon not found`);
  }
  return importCoupon(ctx, offer);
}

/**
 * Imports the first offers of a merchant that the caller does not have, at most IMPORT_ALL_MAX.
 * @returns the new coupons; empty if the caller has them all
 * @throws AppError not_found if nobody of that name has an offer today, rate_limited
 */
export async function importAll(ctx: MemberContext, { merchant }: ImportAllInput): Promise<Coupon[]> {
  await enforceLimit(ctx.limiter, IMPORT_ALL_LIMIT, String(ctx.actor.id));
  const wanted = { key: merchantKey(merchant), limit: IMPORT_ALL_MAX };
  const offers = await store.offersToImport(ctx.db, viewerOf(ctx), wanted);
  if (offers.length === 0 && (await listMerchantOffers(ctx, { merchant, page: 1, limit: 1 })).total === 0) {
    throw notFound(t`Merchant not found`);
  }
  const imported: Coupon[] = [];
  for (const offer of offers) {
    const coupon = await importUnlessOwned(ctx, offer);
    if (coupon) imported.push(coupon);
  }
  return imported;
}

/** @returns null if a simultaneous request has imported it already */
async function importUnlessOwned(ctx: MemberContext, offer: store.OfferRow): Promise<Coupon | null> {
  try {
    return await importCoupon(ctx, offer);
  } catch (error) {
    if (error instanceof AppError && error.code === 'code_listed') return null;
    throw error;
  }
}

function viewerOf(ctx: MemberContext): store.Viewer {
  return { userId: ctx.actor.id, at: ctx.clock() };
}

/** An offer as members see it. Its code is public and not verified. */
function toDiscoverCoupon(row: OfferRow): DiscoverCoupon {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    description: row.description,
    value: row.value,
    discountType: row.discountType,
    isValueRead: row.isValueRead,
    expiryDate: row.expiryDate,
    expiresAt: row.expiryDate && endOfDay(row.expiryDate, row.lastDayOffset).toISOString(),
    endTime: row.endTime,
    regions: row.regions,
    terms: row.terms,
    sourceUrl: row.sourceUrl,
    isVerified: false,
    merchant: row.merchant,
    isImported: row.isImported,
    feedback: {
      worked: row.worked,
      failed: row.failed,
      lastWorkedAt: row.lastWorkedAt?.toISOString() ?? null,
      own: row.own,
    },
  };
}

/** Groups rows by merchant, in the rows' order. */
function toGroups(rows: readonly GroupedOfferRow[]): DiscoverGroup[] {
  const groups = new Map<string, DiscoverGroup>();
  for (const row of rows) {
    const group = groups.get(row.merchantKey) ?? {
      merchant: row.merchantName,
      total: row.offers,
      coupons: [],
    };
    group.coupons.push(toDiscoverCoupon(row));
    groups.set(row.merchantKey, group);
  }
  return [...groups.values()];
}

export { importFeed } from './importing.ts';
export { lapseFeedback } from './offer-feedback.ts';
export { recountOffers, refreshFeeds, removePastOffers } from './refreshing.ts';
