import { t } from '@lingui/core/macro';
import { MAX_ID } from '#contract/base/bounds.ts';
import { paths, WEB_PAGES } from '#contract/base/pages.ts';
import type { SitemapSubmission } from '#contract/oversight/operations.ts';
import {
  type CouponUrl,
  type CouponUrlsInput,
  SITEMAP_MAX_URLS,
  type SitemapPart,
} from '#contract/oversight/seo.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addressKey, enforceLimit } from '#server/core/rate-limit.ts';
import { inTransaction } from '#server/database/client.ts';
import { audit } from '#server/people/audit/service.ts';
import * as store from './store.ts';

/** Generous to crawlers, which read each part at most once a day. Limited because a part costs some work. */
const SITEMAP_LIMIT = { name: 'sitemap', points: 240, seconds: 600 };
/** For the whole site, because the search engines also limit the site as a whole. */
const SUBMISSION_LIMIT = { name: 'sitemap-submission', points: 5, seconds: 3_600 };
/** IndexNow's limit per request. */
const MAX_SUBMITTED_URLS = 10_000;

/**
 * A page of one part of the sitemap: coupons on offer, by id.
 * @param size how many ids belong to a part
 * @throws AppError rate_limited, checked only on the first page of a part
 */
export async function listCouponUrls(
  ctx: Context,
  { part, after, limit }: CouponUrlsInput,
  size = SITEMAP_MAX_URLS,
): Promise<CouponUrl[]> {
  if (after === undefined) await enforceLimit(ctx.limiter, SITEMAP_LIMIT, addressKey(ctx.ip));
  const rows = await store.listLive(ctx.db, ctx.clock(), {
    after: Math.max(after ?? 0, part * size),
    upTo: Math.min((part + 1) * size, MAX_ID),
    limit,
  });
  return rows.map((row) => ({ id: row.id, changedAt: row.updatedAt.toISOString() }));
}

/** The merchants that have coupons on offer, in the spelling of their pages' addresses. @throws AppError rate_limited */
export async function listMerchantKeys(ctx: Context): Promise<string[]> {
  await enforceLimit(ctx.limiter, SITEMAP_LIMIT, addressKey(ctx.ip));
  return store.listMerchantKeys(ctx.db, ctx.clock(), SITEMAP_MAX_URLS);
}

/** The parts of the sitemap that have coupons in them. @throws AppError rate_limited */
export async function listSitemapParts(ctx: Context, size = SITEMAP_MAX_URLS): Promise<SitemapPart[]> {
  await enforceLimit(ctx.limiter, SITEMAP_LIMIT, addressKey(ctx.ip));
  const rows = await store.listParts(ctx.db, ctx.clock(), size);
  return rows.map((row) => ({ part: row.part, changedAt: row.updatedAt.toISOString() }));
}

/**
 * Submits the sitemap to the search engines, and the public pages and latest changed coupons to IndexNow (decisions
 * 6.5). Returns each engine's answer unchanged.
 * @throws AppError rate_limited
 */
export async function submitSitemap(ctx: MemberContext): Promise<SitemapSubmission> {
  await enforceLimit(ctx.limiter, SUBMISSION_LIMIT, 'site');
  const { publicUrl } = ctx.config;
  const pages = WEB_PAGES.filter(({ isPublic, path }) => isPublic && !path.includes(':')).map(
    (page) => page.path,
  );
  const now = ctx.clock();
  const changed = await store.listLatestChanges(ctx.db, now, MAX_SUBMITTED_URLS - pages.length);
  const urls = [...pages, ...changed.map(paths.coupon)].map((path) => publicUrl + path);
  const results = await ctx.providers.searchEngines.submit({ publicUrl, urls });
  const success = results.some((result) => result.success);
  const told = results.map(({ name, message }) => `${name}: ${message}`).join(' ');
  await inTransaction(ctx.db, (trx) =>
    audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: 'sitemap_submitted',
      details: `Submitted the sitemap to the search engines. ${told}`,
      targetUserId: null,
      at: now,
    }),
  );
  return {
    success,
    engines: results,
    time: now.toISOString(),
    error: success ? null : failureOf(results.some(({ isSetUp }) => isSetUp)),
  };
}

function failureOf(isAnySetUp: boolean): string {
  return isAnySetUp
    ? t`No search engine has accepted the sitemap.`
    : t`No search engine is set up. Set INDEXNOW_KEY, GOOGLE_SERVICE_ACCOUNT_FILE or BING_API_KEY.`;
}
