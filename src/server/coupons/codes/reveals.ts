import { t } from '@lingui/core/macro';
import type { RevealedCode } from '#contract/coupons/coupons.ts';
import type { ImageKind } from '#contract/coupons/images.ts';
import { VIEW_ORIGINS_KEPT_DAYS } from '#contract/coupons/limits.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { codeContext, pinContext } from '#server/coupons/core/view.ts';
import { imageOfCoupon } from '#server/coupons/images/service.ts';
import type { ImageFile } from '#server/coupons/images/view.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import { drawCode } from '#server/people/pictures/service.ts';
import * as store from './codes-store.ts';
import { checkNotReissuing } from './reissuing.ts';

/** How many of the latest views the owner is shown. */
const REVEALS_SHOWN = 20;

/** Each view is a row, and an entry of the code's chain. Far more than anybody shows at tills. */
const REVEALS: RateLimit = { name: 'reveals', points: 600, seconds: 3_600 };

/** Several pictures of one code within this time count as one view: a dialog requests each of them. */
const ONE_VIEW_MS = 60_000;

/**
 * Returns the code to the coupon's owner, with the latest views. Records each view, including this one.
 * @throws AppError not_found (no such coupon, or it has no code), forbidden, code_on_its_way (its merchant makes a new one),
 *   rate_limited
 */
export async function revealCode(ctx: MemberContext, id: number): Promise<RevealedCode> {
  await enforceLimit(ctx.limiter, REVEALS, String(ctx.actor.id));
  await enforceSecondFactor(ctx, 'newBrowser');
  return inTransaction(ctx.db, async (trx) => {
    const { code, pin } = await openCode(ctx, trx, id);
    await recordView(ctx, trx, { couponId: id, userId: ctx.actor.id });
    const reveals = await store.listReveals(trx, id, REVEALS_SHOWN);
    return {
      id,
      codeValue: code,
      code,
      pin,
      reveals: reveals.map(({ username, pictureId, keyName, revealedAt, reportedAt }) => ({
        username,
        keyName,
        profileImageUrl: pictureUrl(pictureId),
        revealedAt: revealedAt.toISOString(),
        reportedAt: reportedAt?.toISOString() ?? null,
      })),
    };
  });
}

/**
 * Opens the code of the caller's coupon for something that shows it: null if only a picture shows the code. It counts as a
 * view, and records no second one within ONE_VIEW_MS.
 * @param use runs in the same transaction, while nobody can give the coupon away
 * @throws AppError not_found, forbidden, second_factor_required
 */
export async function viewCode<Result>(
  ctx: MemberContext,
  id: number,
  use: (trx: Trx, code: string | null) => Promise<Result>,
): Promise<Result> {
  await enforceSecondFactor(ctx, 'newBrowser');
  return inTransaction(ctx.db, async (trx) => {
    const { code } = await openCode(ctx, trx, id);
    await noteView(ctx, trx, { couponId: id, userId: ctx.actor.id });
    return use(trx, code);
  });
}

/** Records a view of a code by the caller's device, and no second one within ONE_VIEW_MS. */
export async function noteView(
  ctx: Context,
  trx: Trx,
  view: { readonly couponId: number; readonly userId: number },
): Promise<void> {
  const since = new Date(ctx.clock().getTime() - ONE_VIEW_MS);
  if (!(await store.hasReveal(trx, { ...view, keyName: ctx.apiKey?.name ?? null }, since)))
    await recordView(ctx, trx, view);
}

/**
 * Returns a picture of the code of the caller's coupon, uploaded or else drawn from the code. It counts as a view: see
 * `viewCode`.
 * @throws AppError not_found (also if the code cannot be drawn as this kind, or only its picture has its bytes),
 *   forbidden, unavailable
 */
export async function codeImage(
  ctx: MemberContext,
  { id, kind }: { id: number; kind: ImageKind },
): Promise<ImageFile> {
  const code = await viewCode(ctx, id, async (_trx, opened) => opened);
  // Outside the transaction: the storage may be slow, and no lock should wait for it.
  const image = await imageOfCoupon(ctx, ctx.db, id, kind);
  if (image) return image;
  const canDraw = code !== null && (await store.isDrawable(ctx.db, id));
  const drawn = canDraw ? await drawCode(ctx, kind, code) : null;
  if (!drawn || code === null) throw notFound(t`Picture not found`);
  // Keyed, so that the version does not reveal whether a guessed code is right.
  const version = ctx.vault.fingerprint(`picture ${kind} ${id} ${code}`).slice(0, 32);
  return { ...drawn, etag: `"${version}"` };
}

async function recordView(
  ctx: Context,
  trx: Trx,
  view: { readonly couponId: number; readonly userId: number },
): Promise<void> {
  const { ip: address, userAgent, apiKey } = ctx;
  const keyName = apiKey?.name ?? null;
  await store.insertReveal(trx, { ...view, keyName, at: ctx.clock(), address, userAgent });
}

/** Forgets where old views came from, once no dispute can ask for it; a job calls it. */
export async function forgetOldOrigins(ctx: Context): Promise<void> {
  await store.forgetOrigins(ctx.db, addDays(ctx.clock(), -VIEW_ORIGINS_KEPT_DAYS));
}

/** @throws AppError not_found, forbidden, code_on_its_way */
async function openCode(
  ctx: MemberContext,
  trx: Trx,
  id: number,
): Promise<{ code: string | null; pin: string | null }> {
  const secret = await store.readSecretOf(trx, id, ctx.actor.id);
  if (!secret) throw notFound(t`Coupon not found`);
  if (secret.ownerId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the owner of a coupon can see its code.`);
  }
  // The merchant retires the stored code, or has retired it.
  await checkNotReissuing(trx, [id]);
  const { sealedCode, sealedPin } = secret;
  const pin = sealedPin && ctx.vault.open(sealedPin, pinContext(id));
  if (sealedCode) return { code: ctx.vault.open(sealedCode, codeContext(id)), pin };
  if (!secret.hasPicture) throw new AppError('not_found', t`This coupon has no code`);
  return { code: null, pin };
}
