import { t } from '@lingui/core/macro';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { discountText } from '#contract/coupons/cards.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { noteView } from '#server/coupons/codes/service.ts';
import { codeContext, pinContext } from '#server/coupons/core/view.ts';
import { symbolOfCoupon } from '#server/coupons/images/service.ts';
import { inTransaction } from '#server/database/client.ts';
import type { AppleWallet, Pass } from '#server/providers/wallets/wallets.ts';
import { PictureRefusal } from '#server/readers/pictures/pictures.ts';
import * as store from './store.ts';

interface OpenedPass {
  readonly pass: Pass;
  /** Its symbol, on a picture; null if none is known. */
  readonly pictured: Awaited<ReturnType<typeof symbolOfCoupon>>;
}

/**
 * A pass as it is now: void if its holder is no longer the coupon's. Showing the code to the holder's device counts as a
 * view.
 */
export async function openPass(ctx: Context, serial: string, holderId: number): Promise<OpenedPass> {
  const row = await inTransaction(ctx.db, async (trx) => {
    const found = await store.readContent(trx, serial);
    if (found) await noteView(ctx, trx, { couponId: found.id, userId: holderId });
    return found;
  });
  if (!row) return { pass: { serial, content: null }, pictured: null };
  const { id: couponId, title, merchant, expiryDate, expiresAt, terms } = row;
  const code = ctx.vault.open(row.sealedCode, codeContext(couponId));
  const pictured = await symbolOfCoupon(ctx, { couponId, code });
  const discount = discountText(row);
  const content = {
    ...{ title, merchant, expiresAt, terms, code },
    pin: row.sealedPin && ctx.vault.open(row.sealedPin, pinContext(couponId)),
    discount: discount && t`${discount} off`,
    lastDay: expiryDate && formatDay(expiryDate),
    url: `${ctx.config.publicUrl}${paths.myCoupon(couponId)}`,
    symbol: pictured?.symbol ?? null,
  };
  return { pass: { serial, content }, pictured };
}

/** By which Apple's wallet proves that it has a pass: it is in the pass, and cannot be made from the database alone. */
export function tokenOf({ vault }: Context, serial: string): string {
  return vault.fingerprint(`wallet pass ${serial}`);
}

/** The file of a pass (.pkpass). @throws AppError unavailable */
export async function makeApplePass(
  ctx: Context,
  apple: AppleWallet,
  { pass, pictured }: OpenedPass,
): Promise<Buffer> {
  const file = pictured && !apple.draws(pictured.symbol) ? await pictured.open() : null;
  try {
    const pictures = await ctx.providers.pictures.drawPass(
      pictured && file && { file: file.bytes, code: pictured.symbol },
    );
    return await apple.makePass(pass, { token: tokenOf(ctx, pass.serial), pictures });
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    throw new AppError('unavailable', t`Making this pass was interrupted. Please try again.`, {
      cause: error,
    });
  }
}
