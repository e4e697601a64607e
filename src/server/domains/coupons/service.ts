import {
  type Coupon,
  type CreateCouponInput,
  checkExpiry,
  type UpdateCouponInput,
} from '#contract/coupons.ts';
import { LIMITS } from '#contract/limits.ts';
import { TEXTS } from '#contract/texts.ts';
import { utcDay } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import { findPersonStatus, isNewcomer } from '../accounts/service.ts';
import { codeFingerprint } from '../code-fingerprint.ts';
import { countCodeTry } from '../code-tries.ts';
import type { Context, MemberContext } from '../context.ts';
import { cancelPendingDeals } from '../deals/endings.ts';
import { type LockedCoupon, lockCoupons } from '../deals/service.ts';
import { attachImage, codeToAttach, discardImages } from '../images/service.ts';
import { recordLog } from '../notifications/service.ts';
import { discardPicturesOf, replacePicture } from '../pictures/service.ts';
import { isConfirmed } from '../validations/service.ts';
import { findCoupon, present } from './listing.ts';
import { categoryAfterEdit, changesTerms, isPersonal } from './rules.ts';
import * as savedStore from './saved-store.ts';
import * as store from './store.ts';
import { codeContext } from './view.ts';

const TOO_MANY_LISTINGS = 'You have listed as many coupons as you may in a day.';
const LISTINGS: RateLimit = { name: 'listings', text: TOO_MANY_LISTINGS, ...LIMITS.listings };
const LISTINGS_OF_NEWCOMER: RateLimit = {
  name: 'listings-new',
  text: TOO_MANY_LISTINGS,
  ...LIMITS.listingsOfNewAccount,
};

/**
 * Lists a coupon of the caller's. Without a typed code it takes the code on the pictures.
 * @throws AppError bad_input (expired, or two codes that differ), code_listed, rate_limited (listings, or new codes),
 *   unauthorized (the account has just been deleted)
 */
export async function createCoupon(ctx: MemberContext, input: CreateCouponInput): Promise<Coupon> {
  const { code: _alias, codeValue: _code, qrCodeUrl, barcodeUrl, imageUrl, ...fields } = input;
  const at = ctx.clock();
  const expiryDate = expiryOf(input, at);
  const typed = codeOf(input);
  const limit = (await isNewcomer(ctx)) ? LISTINGS_OF_NEWCOMER : LISTINGS;
  await enforceLimit(ctx.limiter, limit, String(ctx.actor.id));
  const tried = typed ?? (await picturedCode(ctx, input));
  if (tried !== null) await countCodeTry(ctx, { merchant: fields.merchant, code: tried });
  return inTransaction(ctx.db, async (trx) => {
    const pictureId = await takePicture(trx, ctx, imageUrl, null);
    const ownerId = ctx.actor.id;
    const values = { ...fields, expiryDate, pictureId, ownerId, createdAt: at, updatedAt: at };
    const id = await store.insertCoupon(trx, values);
    // The insert has waited for a deletion of the account that began before it.
    const person = await findPersonStatus(trx, ctx.actor.id);
    if (!person || person.isDeleted) throw new AppError('unauthorized', TEXTS.requests.unauthorized);
    // A new coupon has no pictures to remove.
    const urls = { qrCodeUrl: qrCodeUrl ?? undefined, barcodeUrl: barcodeUrl ?? undefined };
    const pictured = await attachImages(trx, ctx, id, urls);
    const code = typed ?? pictured;
    if (code !== null) await storeCode(trx, ctx, { id, merchant: fields.merchant, code });
    await log(trx, ctx, { action: 'created', details: `Listed “${fields.title}”`, couponId: id, at });
    return present(ctx, await findCoupon(ctx, trx, id));
  });
}

/**
 * Replaces the fields of a coupon; without a code or picture it keeps the stored ones. A new code or merchant ends the
 * verification, and a newly typed code removes the old pictures. A change of what deals are about (`Terms`, the code,
 * its pictures) cancels the pending deals.
 * @throws AppError bad_input, not_found, forbidden, coupon_reserved (while a deal holds it), code_listed, rate_limited
 */
export async function updateCoupon(ctx: MemberContext, input: UpdateCouponInput): Promise<Coupon> {
  const { id, code: _alias, codeValue: _code, qrCodeUrl, barcodeUrl, imageUrl, ...fields } = input;
  const expiryDate = expiryOf(input, ctx.clock());
  await countEditedCode(ctx, input);
  return inTransaction(ctx.db, async (trx) => {
    await lockOwn(trx, ctx, id, 'edited');
    const at = ctx.clock();
    const before = await findCoupon(ctx, trx, id);
    const oldCode = storedCode(ctx, before);
    const isTyped = codeOf(input) !== null && codeOf(input) !== oldCode;
    // Otherwise a buyer would get pictures of the old code.
    const stale = isTyped ? null : undefined;
    const urls = {
      qrCodeUrl: qrCodeUrl === undefined ? stale : qrCodeUrl,
      barcodeUrl: barcodeUrl === undefined ? stale : barcodeUrl,
    };
    const pictured = await attachImages(trx, ctx, id, urls);
    const code = codeOf(input) ?? oldCode ?? pictured;
    const pictureId =
      imageUrl === undefined ? before.pictureId : await takePicture(trx, ctx, imageUrl, before.pictureId);
    const isOtherPicture = qrCodeUrl !== undefined || barcodeUrl !== undefined;
    const isOtherOffer = code !== oldCode || fields.merchant !== before.merchant;
    // Before the update that lists the coupon again: if it was not listed, somebody else may have its old code by now.
    if (code !== null && isOtherOffer) await storeCode(trx, ctx, { id, merchant: fields.merchant, code });
    if (code !== oldCode || isOtherPicture || changesTerms(before, { ...fields, expiryDate, pictureId })) {
      // The deals were about other terms: whoever still wants the coupon asks again. Cancelled before the update, so
      // that the notifications name the coupon as the other parties know it.
      const actorId = ctx.actor.id;
      await cancelPendingDeals(trx, { couponIds: [id], reason: 'coupon_changed', at, actorId });
    }
    const values = {
      ...fields,
      expiryDate,
      pictureId,
      category: categoryAfterEdit(before.category, fields.category),
      ...(isOtherPicture && !isOtherOffer && { isVerified: false }),
      // Public codes are never listed.
      isActive: !isPersonal(before.category),
      updatedAt: at,
    };
    await store.updateCoupon(trx, id, values).catch(refuseListed);
    await log(trx, ctx, { action: 'updated', details: `Edited “${fields.title}”`, couponId: id, at });
    return present(ctx, await findCoupon(ctx, trx, id));
  });
}

/**
 * Deletes a coupon and cancels its pending deals. The row stays, without its code, for the history of its deals.
 * @throws AppError not_found, forbidden, coupon_reserved
 */
export async function removeCoupon(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { title } = await lockOwn(trx, ctx, id, 'deleted');
    const at = ctx.clock();
    await cancelPendingDeals(trx, { couponIds: [id], reason: 'coupon_deleted', at, actorId: ctx.actor.id });
    await discardImages(trx, { couponId: id, at });
    await discardPicturesOf(trx, { couponIds: [id], at });
    await store.deleteCoupon(trx, id, at);
    await log(trx, ctx, { action: 'cancelled', details: `Removed “${title}”`, couponId: id, at });
  });
}

const PAST_AT_ONCE = 1_000;

/**
 * Delists expired coupons. The lists check the last day themselves and are right without it; it keeps expired coupons
 * out of their indexes, which would otherwise grow slower every year. An edit with a new last day lists a coupon again.
 * @returns how many were delisted
 */
export async function delistPastCoupons(ctx: Context): Promise<number> {
  let count = 0;
  for (let delisted = PAST_AT_ONCE; delisted === PAST_AT_ONCE; ) {
    delisted = await store.delistPast(ctx.db, utcDay(ctx.clock()), PAST_AT_ONCE);
    count += delisted;
  }
  return count;
}

/** `codeValue` is canonical, `code` an alias (decisions 2.3). @throws AppError bad_input if they differ */
function codeOf({ codeValue, code }: Pick<CreateCouponInput, 'codeValue' | 'code'>): string | null {
  if (codeValue !== null && code !== null && codeValue !== code) {
    throw fieldError(
      'bad_input',
      'code',
      'codeValue and code name the same code, but differ. Send one of them.',
    );
  }
  return codeValue ?? code;
}

/** The last day to store. @throws AppError bad_input if it has passed */
function expiryOf(input: Pick<CreateCouponInput, 'hasNoExpiry' | 'expiryDate'>, now: Date): string | null {
  const problem = checkExpiry(input, now);
  if (problem !== null) throw fieldError('bad_input', 'expiryDate', problem);
  return input.hasNoExpiry ? null : input.expiryDate;
}

/** How long a confirmed verdict counts for a coupon that is created afterwards. */
const VERDICT_HOURS = 24;

/**
 * Encrypts and stores a coupon's code. Marks the coupon as verified if the merchant's own programme has recently
 * confirmed the code to the caller, according to the server's own record, never the client's word (decisions 2.4).
 * @throws AppError code_listed
 */
async function storeCode(
  trx: Trx,
  ctx: MemberContext,
  { id, merchant, code }: { id: number; merchant: string; code: string },
): Promise<void> {
  const codeHash = codeFingerprint(ctx.vault, merchant, code);
  const since = new Date(ctx.clock().getTime() - VERDICT_HOURS * 3_600_000);
  const isVerified = await isConfirmed(trx, { userId: ctx.actor.id, codeHash, since });
  await store.updateCoupon(trx, id, { codeHash, isVerified }).catch(refuseListed);
  await store.putSecret(trx, id, ctx.vault.seal(code, codeContext(id)));
}

type ImageUrls = Pick<UpdateCouponInput, 'qrCodeUrl' | 'barcodeUrl'>;

/**
 * Attaches uploaded pictures to a coupon: a URL replaces, null removes, undefined keeps.
 * @returns the code read from a new picture, the QR code's before the barcode's
 * @throws AppError bad_input if a picture is not the caller's, or belongs to another coupon
 */
async function attachImages(
  trx: Trx,
  ctx: MemberContext,
  couponId: number,
  urls: ImageUrls,
): Promise<string | null> {
  const at = ctx.clock();
  let found: string | null = null;
  for (const [kind, url] of [
    ['qrcode', urls.qrCodeUrl],
    ['barcode', urls.barcodeUrl],
  ] as const) {
    if (url === null) await discardImages(trx, { couponId, kind, at });
    if (!url) continue;
    const { code } = await attachImage(trx, ctx.vault, { couponId, kind, url, userId: ctx.actor.id, at });
    found ??= code;
  }
  return found;
}

/** The picture of the offer that a coupon gets in place of the one before. @throws AppError bad_input */
function takePicture(
  trx: Trx,
  ctx: MemberContext,
  url: string | null,
  before: string | null,
): Promise<string | null> {
  const given = { kind: 'offer', field: 'imageUrl', uploaderId: ctx.actor.id, at: ctx.clock() } as const;
  return replacePicture(trx, { ...given, url, before });
}

/** Translates the unique violation of a code that is listed already. @throws AppError code_listed */
function refuseListed(error: unknown): never {
  if (!isUniqueViolation(error, 'coupons_code_key')) throw error;
  throw fieldError('code_listed', 'codeValue', TEXTS.coupons.alreadyListed);
}

/** Counts the code of an edit if it is new, or new at this merchant. @throws AppError not_found, rate_limited */
async function countEditedCode(ctx: MemberContext, input: UpdateCouponInput): Promise<void> {
  const { merchant } = input;
  const before = await findCoupon(ctx, ctx.db, input.id);
  // The edit itself refuses other people.
  if (before.ownerId !== ctx.actor.id) return;
  const oldCode = storedCode(ctx, before);
  const code = codeOf(input) ?? oldCode ?? (await picturedCode(ctx, input));
  if (code === null || (code === oldCode && merchant === before.merchant)) return;
  await countCodeTry(ctx, { merchant, code });
}

function storedCode({ vault }: MemberContext, { id, sealedCode }: store.CouponRow): string | null {
  return sealedCode && vault.open(sealedCode, codeContext(id));
}

/** The code on the pictures to be attached, as `attachImages` will find it. */
async function picturedCode(
  ctx: MemberContext,
  { qrCodeUrl, barcodeUrl }: ImageUrls,
): Promise<string | null> {
  const onQrCode = qrCodeUrl ? await codeToAttach(ctx, qrCodeUrl, 'qrcode') : null;
  return onQrCode ?? (barcodeUrl ? await codeToAttach(ctx, barcodeUrl, 'barcode') : null);
}

/** Locks a coupon that the caller may change now. @throws AppError not_found, forbidden, coupon_reserved */
async function lockOwn(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  change: 'edited' | 'deleted',
): Promise<{ title: string }> {
  const [coupon] = await lockCoupons(trx, [id]);
  if (!coupon || coupon.deletedAt !== null) throw notFound('Coupon');
  if (coupon.ownerId !== ctx.actor.id) {
    throw new AppError('forbidden', `A coupon can be ${change} by its owner only.`);
  }
  if (coupon.heldBy !== null) throw new AppError('coupon_reserved', heldText(coupon.heldBy, change));
  return coupon;
}

function heldText(holder: NonNullable<LockedCoupon['heldBy']>, change: 'edited' | 'deleted'): string {
  switch (holder) {
    case 'exchange':
      return `This coupon is part of an accepted exchange and cannot be ${change}. Cancel the exchange first.`;
    case 'bid':
      return `You accepted a bid on this coupon, so that it cannot be ${change} while the bidder may pay.`;
    case 'protection':
      return 'This coupon is under buyer protection until the sale is final. Confirm that the code works first.';
  }
}

/** Records the caller's own act in their history. */
async function log(
  trx: Trx,
  { actor }: MemberContext,
  line: Pick<Parameters<typeof recordLog>[1], 'action' | 'details' | 'couponId' | 'at'>,
): Promise<void> {
  await recordLog(trx, { ...line, userId: actor.id, actorId: actor.id });
}

/**
 * Saves another person's coupon to the caller's list; may be repeated (decisions 2.8).
 * @throws AppError not_found, forbidden (the caller's own)
 */
export async function saveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  const coupon = await findCoupon(ctx, ctx.db, couponId);
  if (coupon.ownerId === ctx.actor.id) throw new AppError('forbidden', 'This coupon is yours already.');
  if (isPersonal(coupon.category)) throw notFound('Coupon');
  await savedStore.insertSaved(ctx.db, { userId: ctx.actor.id, couponId, at: ctx.clock() });
}

/** Removes a coupon from the saved ones; does nothing if it is not saved. */
export async function unsaveCoupon(ctx: MemberContext, couponId: number): Promise<void> {
  await savedStore.deleteSaved(ctx.db, ctx.actor.id, couponId);
}
