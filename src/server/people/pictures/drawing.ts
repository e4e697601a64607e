import { t } from '@lingui/core/macro';
import type { ImageKind } from '#contract/coupons/images.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { type DrawnCode, PictureRefusal } from '#server/readers/pictures/pictures.ts';

/**
 * Draws a code; null if that is impossible.
 * @throws AppError unavailable if the drawing was interrupted or too many pictures wait
 */
export async function drawCode(ctx: Context, kind: ImageKind, code: string): Promise<DrawnCode | null> {
  try {
    return await ctx.providers.pictures.draw(kind, code);
  } catch (error) {
    if (!(error instanceof PictureRefusal)) throw error;
    throw new AppError('unavailable', t`Drawing this code was interrupted. Please try again.`, {
      cause: error,
    });
  }
}
