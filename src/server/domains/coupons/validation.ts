import { CODE_MAX } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import type { ValidateInput, ValidationResult } from '#contract/validation.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Verdict } from '#server/providers/validators/validators.ts';
import { codeFingerprint } from '../code-fingerprint.ts';
import type { Context } from '../context.ts';
import { lockCoupons } from '../deals/service.ts';
import { codeOnImage } from '../images/service.ts';
import { recordLog } from '../notifications/service.ts';
import { lastWord, validateCode, withoutPieces } from '../validations/service.ts';
import * as store from './codes-store.ts';
import { codeContext } from './view.ts';

/**
 * Judges a code: of a listed coupon, for anybody signed in, who is told of it but not the code; or one that the
 * caller has typed in or uploaded a picture of.
 * @throws AppError bad_input (no code on the picture, or the coupon has none), unauthorized, not_found, rate_limited
 */
export async function validateCoupon(ctx: Context, input: ValidateInput): Promise<ValidationResult> {
  return input.couponId === null ? validateOwnCode(ctx, input) : validateListed(ctx, input.couponId, input);
}

async function validateOwnCode(ctx: Context, input: ValidateInput): Promise<ValidationResult> {
  const { merchant, preferredSource: source } = input;
  if (merchant === null) throw fieldError('bad_input', 'merchant', TEXTS.validation.merchantRequired);
  const code = await codeOf(ctx, input);
  const disclaimer = confirmedWords(input);
  const verdict = await validateCode(ctx, { merchant, code, source, couponId: null, disclaimer });
  return toResult(verdict, merchant, code);
}

/** The code that is typed in, else the one on a picture. @throws AppError bad_input, not_found */
async function codeOf(ctx: Context, { codeValue, qrCodeUrl, barcodeUrl }: ValidateInput): Promise<string> {
  if (codeValue !== null) return codeValue;
  const given = [
    ['qrCodeUrl', qrCodeUrl, 'QR code'],
    ['barcodeUrl', barcodeUrl, 'barcode'],
  ] as const;
  let missing: AppError | null = null;
  for (const [field, url, name] of given) {
    if (url === null) continue;
    const code = (await codeOnImage(ctx, url))?.trim();
    if (code && code.length <= CODE_MAX) return code;
    missing ??= fieldError('bad_input', field, TEXTS.validation.noCode(name));
  }
  throw missing ?? fieldError('bad_input', 'codeValue', TEXTS.validation.codeRequired);
}

async function validateListed(ctx: Context, id: number, input: ValidateInput): Promise<ValidationResult> {
  const { actor } = ctx;
  if (!actor) throw new AppError('unauthorized', TEXTS.requests.unauthorized);
  const coupon = await store.findForValidation(ctx.db, id);
  if (!coupon) throw notFound('Coupon');
  const { merchant, ownerId, sealedCode } = coupon;
  if (!sealedCode) throw fieldError('bad_input', 'couponId', 'This coupon has no code that can be checked.');
  const code = ctx.vault.open(sealedCode, codeContext(id));
  const verdict = await validateCode(ctx, {
    merchant,
    code,
    source: input.preferredSource,
    couponId: id,
    disclaimer: confirmedWords(input),
  });
  if (verdict.confirmed) await bindLastWord(ctx, id, codeFingerprint(ctx.vault, merchant, code));
  return toResult(ownerId === actor.id ? verdict : withoutPieces(verdict, merchant), merchant, null);
}

/**
 * Marks the coupon as the programme has said, unless its code has become another one meanwhile. What counts is the
 * last record: of two who ask at once, or are told again what they were told, no one's older answer wins.
 */
async function bindLastWord(ctx: Context, id: number, codeHash: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [id]);
    if (!coupon) return;
    const isVerified = (await lastWord(trx, codeHash)) === true;
    const hasChanged = await store.setVerified(trx, { id, codeHash, isVerified });
    if (!hasChanged || !isVerified) return;
    await recordLog(trx, {
      userId: coupon.ownerId,
      actorId: ctx.actor?.id ?? null,
      action: 'verified',
      details: `The code of “${coupon.title}” was confirmed by its merchant’s programme`,
      couponId: id,
      at: ctx.clock(),
    });
  });
}

function confirmedWords({ ownershipConfirmation, disclaimer }: ValidateInput): string | null {
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
