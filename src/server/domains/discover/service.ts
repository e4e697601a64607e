import type { Coupon } from '#contract/coupons.ts';
import {
  type DiscoverCoupon,
  type DiscoverGroup,
  type DiscoverInput,
  IMPORT_ALL_MAX,
  type ImportAllInput,
  type ImportInput,
  type MerchantOffersInput,
} from '#contract/discover.ts';
import type { Page } from '#contract/primitives.ts';
import { utcDay } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { merchantKey } from '#server/core/text.ts';
import { codeFingerprint } from '../code-fingerprint.ts';
import { countCodeTry } from '../code-tries.ts';
import type { MemberContext } from '../context.ts';
import { importCoupon } from '../coupons/importing.ts';
import type { GroupedOfferRow, OfferRow } from './store.ts';
import * as store from './store.ts';

/** Nobody collects codes for themselves faster than this. */
const IMPORT_LIMIT: RateLimit = { name: 'import', points: 120, seconds: 3_600 };
const IMPORT_ALL_LIMIT: RateLimit = { name: 'import-all', points: 20, seconds: 3_600 };

/**
 * Merchants with public offers that are on today, by name, each with its first few.
 * @throws AppError bad_input on a page beyond reach
 */
export async function listDiscover(
  ctx: MemberContext,
  { search = '', ...paging }: DiscoverInput,
): Promise<Page<DiscoverGroup>> {
  const { rows, ...counts } = await store.listGroups(
    ctx.db,
    { ...viewerOf(ctx), search: merchantKey(search) },
    paging,
  );
  return { items: toGroups(rows), ...counts, nextCursor: null };
}

/** The offers of one merchant that are on today; none for a merchant that nobody knows. @throws AppError bad_input */
export async function listMerchantOffers(
  ctx: MemberContext,
  { merchant, ...paging }: MerchantOffersInput,
): Promise<Page<DiscoverCoupon>> {
  const { rows, ...counts } = await store.listOffers(
    ctx.db,
    { ...viewerOf(ctx), key: merchantKey(merchant) },
    paging,
  );
  return { items: rows.map(toDiscoverCoupon), ...counts, nextCursor: null };
}

/**
 * Makes a public offer the caller's own coupon (decisions 2.6). What counts is what its feed says, not the caller.
 * @throws AppError not_found where no such offer is on, code_listed when they have it already, rate_limited
 */
export async function importOffer(ctx: MemberContext, { code, merchant }: ImportInput): Promise<Coupon> {
  await enforceLimit(ctx.limiter, IMPORT_LIMIT, String(ctx.actor.id));
  const identity = codeFingerprint(ctx.vault, merchant, code);
  const offer = await store.findOffer(ctx.db, viewerOf(ctx), identity);
  if (!offer) {
    // An offer that is there is public; a code that is not may be a guess.
    await countCodeTry(ctx, { merchant, code });
    throw notFound('Coupon');
  }
  return importCoupon(ctx, offer);
}

/**
 * The same with the first offers of a merchant that the caller does not have, so many at most as IMPORT_ALL_MAX.
 * @returns the new coupons; none where they have them all
 * @throws AppError rate_limited
 */
export async function importAll(ctx: MemberContext, { merchant }: ImportAllInput): Promise<Coupon[]> {
  await enforceLimit(ctx.limiter, IMPORT_ALL_LIMIT, String(ctx.actor.id));
  const wanted = { key: merchantKey(merchant), limit: IMPORT_ALL_MAX };
  const imported: Coupon[] = [];
  for (const offer of await store.offersToImport(ctx.db, viewerOf(ctx), wanted)) {
    const coupon = await importUnlessOwned(ctx, offer);
    if (coupon) imported.push(coupon);
  }
  return imported;
}

/** Null for a coupon that a click at the same time was quicker with. */
async function importUnlessOwned(ctx: MemberContext, offer: store.OfferRow): Promise<Coupon | null> {
  try {
    return await importCoupon(ctx, offer);
  } catch (error) {
    if (error instanceof AppError && error.code === 'code_listed') return null;
    throw error;
  }
}

function viewerOf(ctx: MemberContext): store.Viewer {
  return { userId: ctx.actor.id, today: utcDay(ctx.clock()) };
}

/** An offer as members see it: its code is public. Nobody has confirmed it. */
function toDiscoverCoupon(row: OfferRow): DiscoverCoupon {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    description: row.description,
    value: row.value,
    discountType: row.discountType,
    expiryDate: row.expiryDate,
    terms: row.terms,
    sourceUrl: row.sourceUrl,
    isVerified: false,
    merchant: row.merchant,
    isImported: row.isImported,
  };
}

/** Rows in the order of their merchants as groups. */
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
