import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { StoredCategory } from '#contract/coupons/choices.ts';
import type { CreateCouponInput, UpdateCouponInput } from '#contract/coupons/coupons.ts';
import type { MemberContext } from '#server/context/context.ts';
import { fieldError } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { findCoupon } from '#server/coupons/core/finding.ts';
import { isPersonal } from '#server/coupons/core/rules.ts';
import * as store from '#server/coupons/core/store.ts';
import { codeContext, pinContext } from '#server/coupons/core/view.ts';
import {
  attachImage,
  codeToAttach,
  discardImages,
  isMoreThanItsText,
} from '#server/coupons/images/service.ts';
import { isConfirmed, lookAtCode } from '#server/coupons/validations/service.ts';
import { isUniqueViolation, type Trx } from '#server/database/client.ts';
import * as codesStore from './codes-store.ts';

const WAITING: RateLimit = {
  name: 'waiting-coupons',
  text: () =>
    t`Moderators check coupons of this merchant before others see them, up to ${LIMITS.waitingCoupons.points} of yours a day.`,
  ...LIMITS.waitingCoupons,
};

/** The code that a coupon is to have. */
interface LookedAt {
  readonly code: string | null;
  /** Whether a moderator looks at the coupon before others see it, since codes of the merchant are being guessed. */
  readonly mustWait: boolean;
}

/** `codeValue` is canonical, `code` an alias (decisions 2.3). @throws AppError bad_input if they differ */
export function codeOf({ codeValue, code }: Pick<CreateCouponInput, 'codeValue' | 'code'>): string | null {
  if (codeValue !== null && code !== null && codeValue !== code) {
    throw fieldError(
      'bad_input',
      'code',
      t`codeValue and code stand for the same code but differ. Send only one of them.`,
    );
  }
  return codeValue ?? code;
}

/**
 * Checks the code of a new coupon, typed or on a picture. Call it outside transactions.
 * @throws AppError code_dead unless acknowledged, rate_limited
 */
export async function lookAtNew(ctx: MemberContext, input: CreateCouponInput): Promise<LookedAt> {
  const code = codeOf(input) ?? (await picturedCode(ctx, input));
  return { code, mustWait: code !== null && (await lookAt(ctx, { ...input, code })) };
}

/** Whether a code is public: Discover offers it to everybody. */
export function isPublicCode(
  trx: Trx,
  { vault }: MemberContext,
  { merchant, code }: { merchant: string; code: string },
): Promise<boolean> {
  return codesStore.isOffered(trx, codeFingerprint(vault, merchant, code));
}

/** The fields of a coupon with a public code: its owner uses it, and no list and no deal has it (decisions 2.6). */
export const OWN_USE = {
  category: 'imported',
  isActive: false,
  askingPrice: null,
  priceFloor: null,
} as const;

/** @throws AppError bad_input if a coupon for deals would get a public code */
export async function refusePublic(
  trx: Trx,
  ctx: MemberContext,
  given: { merchant: string; code: string },
): Promise<void> {
  if (!(await isPublicCode(trx, ctx, given))) return;
  throw fieldError(
    'bad_input',
    'codeValue',
    t`Anyone can use this public code, so you cannot list it. Add it from Discover for your own use.`,
  );
}

/**
 * Checks the code of an edit if it is new, new at this merchant, or on no list. In the last case the edit may list the
 * coupon, which tells whether somebody else has listed the code meanwhile.
 * @returns whether the coupon must wait, as in `lookAtNew`
 * @throws AppError not_found, as `lookAtNew`
 */
export async function lookAtEdited(ctx: MemberContext, input: UpdateCouponInput): Promise<boolean> {
  const before = await findCoupon(ctx, ctx.db, input.id);
  // The edit itself refuses other people.
  if (before.ownerId !== ctx.actor.id) return false;
  const { merchant = before.merchant, acknowledgeDeadCode } = input;
  const oldCode = storedCode(ctx, before);
  const code = codeOf(input) ?? oldCode ?? (await picturedCode(ctx, input));
  const isKnown = code === oldCode && merchant === before.merchant;
  const isNeverListed = isPersonal(before.category);
  if (code === null || (isKnown && (before.isActive || before.isWaiting || isNeverListed))) return false;
  return (await lookAt(ctx, { merchant, code, acknowledgeDeadCode })) && !isNeverListed;
}

/**
 * @returns whether the coupon must wait, as in `lookAtNew`
 * @throws AppError code_dead if the merchant's own account calls the code dead and nobody has acknowledged that
 */
async function lookAt(
  ctx: MemberContext,
  given: { merchant: string; code: string } & Pick<CreateCouponInput, 'acknowledgeDeadCode'>,
): Promise<boolean> {
  const { verdict, isGuessed } = await lookAtCode(ctx, given);
  if (verdict?.dead && !given.acknowledgeDeadCode)
    throw fieldError('code_dead', 'codeValue', verdict.message);
  if (isGuessed) await enforceLimit(ctx.limiter, WAITING, String(ctx.actor.id));
  return isGuessed;
}

export function storedCode({ vault }: MemberContext, { id, sealedCode }: store.CouponRow): string | null {
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

/**
 * Returns the columns that depend on the code: its fingerprint, and whether the merchant's own programme has recently
 * confirmed the code to the caller, according to the server's own record, never the client's word (decisions 2.4).
 */
export function marksOf(
  trx: Trx,
  ctx: MemberContext,
  { merchant, code }: { merchant: string; code: string },
) {
  const codeHash = codeFingerprint(ctx.vault, merchant, code);
  return { codeHash, isVerified: isConfirmed(trx, { userId: ctx.actor.id, codeHash, now: ctx.clock() }) };
}

/** A code as it is stored. */
export function sealCode({ vault }: MemberContext, couponId: number, code: string): Buffer {
  return vault.seal(code, codeContext(couponId));
}

/** The PIN of a code as it is stored; null: it has none. */
function sealPin({ vault }: MemberContext, couponId: number, pin: string | null): Buffer | null {
  return pin === null ? null : vault.seal(pin, pinContext(couponId));
}

/** Stores the PIN of a coupon's code. @throws AppError bad_input where the coupon has no code */
export async function storePin(trx: Trx, ctx: MemberContext, id: number, pin: string | null): Promise<void> {
  const isStored = await codesStore.setPin(trx, id, sealPin(ctx, id, pin));
  if (!isStored && pin !== null)
    throw fieldError('bad_input', 'pin', t`A PIN belongs to a code. Enter the code, too.`);
}

/**
 * Replaces a coupon's code, or only its marks where the code stays and its merchant changes, and keeps the hash of the
 * earlier code. The database keeps the category `verified` only if the marks confirm it.
 * @throws AppError code_listed
 */
export async function storeCode(
  trx: Trx,
  ctx: MemberContext,
  given: {
    id: number;
    merchant: string;
    code: string;
    category: StoredCategory;
    isDrawable: boolean;
    isNewCode: boolean;
  },
): Promise<void> {
  const { id, category, isDrawable, isNewCode } = given;
  await codesStore.keepEarlierCode(trx, id);
  const changes = { ...marksOf(trx, ctx, given), category, updatedAt: ctx.clock() };
  await store.updateCoupon(trx, id, changes).catch(refuseListed);
  // Who has seen a code has seen it under any merchant: storing it again would begin a new chain of exposures.
  if (isNewCode) await store.putSecret(trx, id, { code: sealCode(ctx, id, given.code), isDrawable });
  else if (!isDrawable) await store.markUndrawable(trx, id);
}

/** Whether a picture of the code can be drawn from its text. The caller has attached its pictures. */
export async function canBeDrawn(
  trx: Trx,
  ctx: MemberContext,
  { id: couponId, code }: { id: number; code: string },
): Promise<boolean> {
  const given = { couponId, code, userId: ctx.actor.id, at: ctx.clock() };
  return !(await isMoreThanItsText(trx, ctx.vault, given));
}

type ImageUrls = Pick<UpdateCouponInput, 'qrCodeUrl' | 'barcodeUrl'>;

/**
 * Attaches uploaded pictures to a coupon: a URL replaces, null removes, undefined keeps. It stores the hash of a code on
 * a picture, as an edit does for earlier codes, since that code may differ from the typed one.
 * @returns the code read from a new picture, the QR code's before the barcode's
 * @throws AppError bad_input if a picture is not the caller's, or belongs to another coupon
 */
export async function attachImages(
  trx: Trx,
  ctx: MemberContext,
  { id: couponId, merchant }: { id: number; merchant: string },
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
    if (code === null) continue;
    found ??= code;
    await codesStore.keepCode(trx, {
      couponId,
      merchant,
      codeHash: codeFingerprint(ctx.vault, merchant, code),
    });
  }
  return found;
}

/**
 * Translates the unique violation of a code that is listed, that belongs to its last owner, or that the caller has as a
 * public one. @throws AppError code_listed
 */
export function refuseListed(error: unknown): never {
  if (isUniqueViolation(error, 'coupons_imported_once'))
    throw fieldError('code_listed', 'codeValue', t`You already have this public code.`);
  if (!isUniqueViolation(error, 'coupons_code_key')) throw error;
  throw fieldError('code_listed', 'codeValue', TEXTS.coupons.alreadyListed());
}
