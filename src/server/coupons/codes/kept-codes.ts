import type { Coupon } from '#contract/coupons/coupons.ts';
import { type ImageKind, isBarcodeText, isQrText } from '#contract/coupons/images.ts';
import {
  OFFLINE_CODES_AT_ONCE,
  OFFLINE_CODES_MAX,
  type OfflineCode,
  type OfflineCodes,
  type OfflineCodesInput,
  type ReportViewsInput,
} from '#contract/coupons/offline-codes.ts';
import type { MemberContext } from '#server/context/context.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { couponsByIds } from '#server/coupons/core/finding.ts';
import { codeContext, pinContext } from '#server/coupons/core/view.ts';
import { imageOfCoupon } from '#server/coupons/images/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import { drawCode } from '#server/people/pictures/service.ts';
import { insertReveals } from './codes-store.ts';
import * as store from './kept-codes-store.ts';

/** How many codes of one merchant somebody shows one after the other. */
const AT_TILL_MAX = 50;

/** A device asks when it is opened and when the network is back. */
const CALLS: RateLimit = { name: 'kept-codes', points: 300, seconds: 60 * 60 };

type Keepable = Awaited<ReturnType<typeof store.listKeepable>>[number];

/**
 * Gives a device of the caller's the codes of their coupons, for tills without a network, and tells it which ones to
 * forget: of coupons that were given away, sold, used or deleted. It is stored whose devices were given which code. What a
 * device shows, it reports: see `reportViews`.
 * @throws AppError second_factor_required (in a new browser), rate_limited, unavailable
 */
export async function keepCodes(
  ctx: MemberContext,
  { known, only }: OfflineCodesInput,
): Promise<OfflineCodes> {
  await enforceLimit(ctx.limiter, CALLS, String(ctx.actor.id));
  await enforceSecondFactor(ctx, 'newBrowser');
  const { id: userId } = ctx.actor;
  const at = ctx.clock();
  const has = new Map(known.map(({ id, version }) => [id, version]));
  const { keepable, fresh } = await inTransaction(ctx.db, async (trx) => {
    const owned = await store.listKeepable(trx, { ownerId: userId, only, at, limit: OFFLINE_CODES_MAX });
    const changed = owned.filter(({ id, updatedAt }) => has.get(id) !== updatedAt.toISOString());
    const now = changed.slice(0, OFFLINE_CODES_AT_ONCE);
    const couponIds = now.map(({ id }) => id);
    await store.noteKept(trx, { couponIds, userId, at });
    // A program reports no views: it has seen the codes when it has got them.
    if (ctx.apiKey) await insertReveals(trx, { couponIds, userId, keyName: ctx.apiKey.name, at });
    return { keepable: owned, fresh: { now, hasMore: changed.length > now.length } };
  });
  const kept = new Set(keepable.map(({ id }) => id));
  const codes: OfflineCode[] = [];
  // One after the other: drawing a code takes a place in the process for pictures.
  for (const coupon of fresh.now) codes.push(await withPictures(ctx, coupon));
  return {
    codes,
    hasMore: fresh.hasMore,
    gone: known.map(({ id }) => id).filter((id) => !kept.has(id)),
  };
}

async function withPictures(ctx: MemberContext, coupon: Keepable): Promise<OfflineCode> {
  const { id, title, merchant, expiryDate, updatedAt, sealedCode, sealedPin, isDrawable } = coupon;
  const code = sealedCode && ctx.vault.open(sealedCode, codeContext(id));
  const drawn: ImageKind[] = [];
  /** The picture as it was uploaded, or else drawn, as a data URL; null if there is none. */
  const pictureOf = async (kind: ImageKind, isText: (code: string) => boolean) => {
    const image = await imageOfCoupon(ctx, ctx.db, id, kind);
    const drawing = !image && isDrawable && code && isText(code) ? await drawCode(ctx, kind, code) : null;
    if (drawing) drawn.push(kind);
    const picture = image ?? drawing;
    return picture && `data:${picture.contentType};base64,${Buffer.from(picture.bytes).toString('base64')}`;
  };
  return {
    id,
    version: updatedAt.toISOString(),
    title,
    merchant,
    expiryDate,
    code,
    pin: sealedPin && ctx.vault.open(sealedPin, pinContext(id)),
    qrCode: await pictureOf('qrcode', isQrText),
    barcode: await pictureOf('barcode', isBarcodeText),
    drawn,
  };
}

/**
 * Records the views that a device of the caller's has shown without a network, with the time of each and of the report.
 * Views of codes that no device of theirs was given are left out.
 */
export async function reportViews(ctx: MemberContext, { views }: ReportViewsInput): Promise<void> {
  await enforceLimit(ctx.limiter, CALLS, String(ctx.actor.id));
  const at = ctx.clock();
  await store.insertReportedViews(ctx.db, {
    views: views.map(({ couponId, secondsAgo }) => ({
      couponId,
      revealedAt: new Date(Math.max(0, at.getTime() - secondsAgo * 1_000)),
    })),
    userId: ctx.actor.id,
    at,
    address: ctx.ip || null,
    userAgent: ctx.userAgent || null,
  });
}

/**
 * The caller's coupons of the same merchant as one of theirs that can be shown at a till, those first that expire first;
 * none for a coupon that is not theirs.
 */
export async function listAtTill(ctx: MemberContext, couponId: number): Promise<Coupon[]> {
  const given = { ownerId: ctx.actor.id, at: ctx.clock(), limit: AT_TILL_MAX, couponId };
  return couponsByIds(ctx, await store.listAtTill(ctx.db, given));
}
