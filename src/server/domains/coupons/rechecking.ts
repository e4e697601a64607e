import { quoted } from '#contract/words.ts';
import { AppError } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import type { Context } from '../context.ts';
import { askMerchant, type CodeAnswer } from '../validations/service.ts';
import * as store from './codes-store.ts';
import { applyLastVerdict } from './validation.ts';
import { codeContext } from './view.ts';

/** A code about which its merchant's own account was asked just now. */
export interface AskedCode {
  readonly couponId: number;
  readonly title: string;
  readonly merchant: string;
  readonly code: string;
  readonly answer: CodeAnswer;
}

/**
 * Asks the merchants' own accounts about the codes of coupons that are about to change hands; marks those that are
 * refused as not verified. Call it outside transactions; `checkUnchanged` binds the answers to the codes.
 * @param acknowledged whether the caller goes on when an account cannot be reached
 * @throws AppError code_unchecked, rate_limited
 */
export async function askAgain(
  ctx: Context,
  couponIds: readonly number[],
  acknowledged: boolean,
): Promise<AskedCode[]> {
  const asked: AskedCode[] = [];
  for (const couponId of couponIds) {
    const found = await store.findForValidation(ctx.db, couponId);
    if (!found?.sealedCode) continue;
    const { title, merchant } = found;
    const code = ctx.vault.open(found.sealedCode, codeContext(couponId));
    const { answer, codeHash } = await askMerchant(ctx, { couponId, merchant, code });
    if (answer === 'refused') await applyLastVerdict(ctx, couponId, codeHash);
    asked.push({ couponId, title, merchant, code, answer });
  }
  const unreached = asked.filter(({ answer }) => answer === 'unreached');
  if (unreached.length > 0 && !acknowledged && !asked.some(({ answer }) => answer === 'refused')) {
    const titles = quoted(unreached.map(({ title }) => title));
    throw new AppError(
      'code_unchecked',
      `The code of ${titles} could not be checked with its merchant just now. Try again later, or do it once more to go on without the check.`,
    );
  }
  return asked;
}

/** @throws AppError deal_changed unless these coupons still have the codes that were asked about. Lock them first. */
export async function checkUnchanged(trx: Trx, ctx: Context, asked: readonly AskedCode[]): Promise<void> {
  for (const { couponId, merchant, code } of asked) {
    const now = await store.findForValidation(trx, couponId);
    const isSame =
      now?.sealedCode &&
      now.merchant === merchant &&
      ctx.vault.open(now.sealedCode, codeContext(couponId)) === code;
    if (!isSame) throw new AppError('deal_changed', 'A code has just been changed. Please try again.');
  }
}
