import { t } from '@lingui/core/macro';
import { TEXTS } from '#contract/base/texts.ts';
import { quoted } from '#contract/base/words.ts';
import { CODE_MAX } from '#contract/coupons/limits.ts';
import type { ValidateInput, ValidationResult } from '#contract/coupons/validation.ts';
import type { Context } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { lockCoupons } from '#server/coupons/core/reservations.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { codeOnImage } from '#server/coupons/images/service.ts';
import {
  askMerchant,
  type CodeAnswer,
  lastConfirmedVerdict,
  validateCode,
  withoutCodeDetails,
} from '#server/coupons/validations/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { recordLog } from '#server/people/notifications/service.ts';
import type { Redemptions } from '#server/providers/validators/adapter.ts';
import type { Verdict } from '#server/providers/validators/validators.ts';
import { COUPON_HISTORY } from '#server/texts/coupons.ts';
import * as store from './codes-store.ts';
import { listOpenCoupons } from './reissues-store.ts';
import { checkNotReissuing } from './reissuing.ts';

/**
 * Checks the code of a listed coupon for anybody signed in, without revealing it, or a code that the caller has typed or
 * uploaded as a picture.
 * @throws AppError bad_input (no code on the picture, or the coupon has none), unauthorized, not_found, rate_limited
 */
export async function validateCoupon(ctx: Context, input: ValidateInput): Promise<ValidationResult> {
  return input.couponId === null ? validateOwnCode(ctx, input) : validateListed(ctx, input.couponId, input);
}

async function validateOwnCode(ctx: Context, input: ValidateInput): Promise<ValidationResult> {
  const { merchant, preferredSource: source } = input;
  if (merchant === null) throw fieldError('bad_input', 'merchant', TEXTS.validation.merchantRequired());
  const code = await codeOf(ctx, input);
  const disclaimer = acceptedDisclaimer(input);
  const verdict = await validateCode(ctx, { merchant, code, source, couponId: null, disclaimer });
  return toResult(verdict, merchant, code);
}

/** The typed code, or else the one on a picture. @throws AppError bad_input, not_found */
async function codeOf(ctx: Context, { codeValue, qrCodeUrl, barcodeUrl }: ValidateInput): Promise<string> {
  if (codeValue !== null) return codeValue;
  const given = [
    ['qrCodeUrl', qrCodeUrl, 'qrcode'],
    ['barcodeUrl', barcodeUrl, 'barcode'],
  ] as const;
  let missing: AppError | null = null;
  for (const [field, url, kind] of given) {
    if (url === null) continue;
    const code = await codeOnImage(ctx, url);
    if (code && code.length <= CODE_MAX) return code;
    missing ??= fieldError('bad_input', field, TEXTS.validation.noCode(kind));
  }
  throw missing ?? fieldError('bad_input', 'codeValue', TEXTS.validation.codeRequired());
}

async function validateListed(ctx: Context, id: number, input: ValidateInput): Promise<ValidationResult> {
  const { actor } = ctx;
  if (!actor) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
  const coupon = await store.findForValidation(ctx.db, id);
  if (!coupon) throw notFound(t`Coupon not found`);
  const { merchant, ownerId, sealedCode } = coupon;
  if (!sealedCode) throw fieldError('bad_input', 'couponId', t`This coupon has no code to check.`);
  await checkNotReissuing(ctx.db, [id]);
  const code = ctx.vault.open(sealedCode, codeContext(id));
  const verdict = await validateCode(ctx, {
    merchant,
    code,
    source: input.preferredSource,
    couponId: id,
    disclaimer: acceptedDisclaimer(input),
  });
  if (verdict.confirmed) await applyLastVerdict(ctx, id, codeFingerprint(ctx.vault, merchant, code));
  return toResult(ownerId === actor.id ? verdict : withoutCodeDetails(verdict, merchant), merchant, null);
}

/**
 * Marks the coupon as verified or not after the programme's latest recorded verdict, unless its code has changed
 * meanwhile. It reads the record and not the caller's own answer, which may be cached or older than a simultaneous one.
 */
async function applyLastVerdict(ctx: Context, id: number, codeHash: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [id]);
    if (!coupon || (await listOpenCoupons(trx, [id])).length > 0) return;
    const isVerified = (await lastConfirmedVerdict(trx, codeHash)) === true;
    const hasChanged = await store.setVerified(trx, { id, codeHash, isVerified });
    if (!hasChanged || !isVerified) return;
    await recordLog(trx, {
      userId: coupon.ownerId,
      actorId: ctx.actor?.id ?? null,
      action: 'verified',
      details: COUPON_HISTORY.verified({ coupon: coupon.title }),
      couponId: id,
      at: ctx.clock(),
    });
  });
}

function acceptedDisclaimer({ ownershipConfirmation, disclaimer }: ValidateInput): string | null {
  return ownershipConfirmation ? disclaimer : null;
}

function toResult(verdict: Verdict, merchantName: string, couponCode: string | null): ValidationResult {
  const { valid, message, validatedWith, ...details } = verdict;
  return {
    valid,
    message,
    validatedWith,
    details: { merchantName, couponCode, ...details },
    ...(!valid && { error: message }),
  };
}

/** A code about which the server has just asked its merchant's own account. */
export interface AskedCode {
  readonly couponId: number;
  readonly title: string;
  readonly merchant: string;
  readonly code: string;
  readonly answer: CodeAnswer;
  /** The last replacement of the coupon's code before it was asked about; 0: there was none. */
  readonly lastReissueId: number;
}

/**
 * Asks the merchants' own accounts about the codes of coupons that are about to change hands; marks those that are
 * refused as not verified. Call it outside transactions; `checkUnchanged` binds the answers to the codes.
 * @param acknowledged whether the caller goes on when an account cannot be reached
 * @throws AppError code_unchecked, code_on_its_way, rate_limited
 */
export async function askAgain(
  ctx: Context,
  couponIds: readonly number[],
  acknowledged: boolean,
): Promise<AskedCode[]> {
  await checkNotReissuing(ctx.db, couponIds);
  const asked: AskedCode[] = [];
  for (const couponId of couponIds) {
    const about = await askAbout(ctx, couponId);
    if (!about) continue;
    if (about.asked.answer === 'refused') await applyLastVerdict(ctx, couponId, about.codeHash);
    asked.push(about.asked);
  }
  const unreached = asked.filter(({ answer }) => answer === 'unreached');
  if (unreached.length > 0 && !acknowledged && !asked.some(({ answer }) => answer === 'refused')) {
    const titles = quoted(unreached.map(({ title }) => title));
    throw new AppError(
      'code_unchecked',
      t`We could not check the code of ${titles} with its merchant just now. Try again later, or press again to continue without the check.`,
    );
  }
  return asked;
}

/**
 * Asks the merchant's own account again about the code of a coupon that is on offer, and marks the coupon as verified or
 * not after the answer. Call it outside transactions.
 * @returns null if the coupon has no code, or its merchant is replacing it
 */
export async function askAboutOffer(ctx: Context, couponId: number): Promise<AskedCode | null> {
  const about = await askAbout(ctx, couponId);
  if (!about) return null;
  if (about.asked.answer !== 'unreached') await applyLastVerdict(ctx, couponId, about.codeHash);
  return about.asked;
}

/** What a merchant's own account has told about a code and its uses. */
export interface ToldUses {
  readonly asked: AskedCode;
  readonly redemptions: Redemptions;
  /** Whether the code works now. */
  readonly isValid: boolean;
}

/**
 * Asks the merchant's own account how the code of a person's coupon was used. Call it outside transactions; `checkUnchanged`
 * binds the answer to the code.
 * @returns null if the coupon is not theirs any more or has no code, or if the account does not tell
 */
export async function askForUses(
  ctx: Context,
  { couponId, ownerId }: { couponId: number; ownerId: number },
): Promise<ToldUses | null> {
  const found = await store.findForValidation(ctx.db, couponId);
  const { validators } = ctx.providers;
  if (found?.ownerId !== ownerId || !validators.tellsRedemptions(found.merchant)) return null;
  const about = await askAbout(ctx, couponId);
  if (about === null || about.asked.answer === 'unreached') return null;
  const { merchant, code } = about.asked;
  const redemptions = await validators.redemptionsOf({ merchant, code });
  if (redemptions === 'unreached') return null;
  return { asked: about.asked, redemptions, isValid: about.isConfirmed };
}

async function askAbout(
  ctx: Context,
  couponId: number,
): Promise<{ asked: AskedCode; codeHash: string; isConfirmed: boolean } | null> {
  const found = await store.findForValidation(ctx.db, couponId);
  if (!found?.sealedCode || found.isReissuing) return null;
  const { title, merchant, lastReissueId } = found;
  const code = ctx.vault.open(found.sealedCode, codeContext(couponId));
  const { answer, ...told } = await askMerchant(ctx, { couponId, merchant, code });
  return { asked: { couponId, title, merchant, code, answer, lastReissueId }, ...told };
}

/** @throws AppError deal_changed unless these coupons still have the codes that were asked about. Lock them first. */
export async function checkUnchanged(trx: Trx, ctx: Context, asked: readonly AskedCode[]): Promise<void> {
  for (const { couponId, merchant, code, lastReissueId } of asked) {
    const now = await store.findForValidation(trx, couponId);
    const isSame =
      now?.sealedCode &&
      // A programme that is about to replace a code calls the old one dead.
      now.lastReissueId === lastReissueId &&
      now.merchant === merchant &&
      ctx.vault.open(now.sealedCode, codeContext(couponId)) === code;
    if (!isSame) throw new AppError('deal_changed', t`A code has just changed. Please try again.`);
  }
}
