import { t } from '@lingui/core/macro';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { PublicOffer } from '#contract/coupons/discover.ts';
import { DESCRIPTION_MIN, TITLE_MIN } from '#contract/coupons/limits.ts';
import type { MemberContext } from '#server/context/context.ts';
import { fieldError } from '#server/core/errors.ts';
import { sealCode } from '#server/coupons/codes/service.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { present } from '#server/coupons/core/finding.ts';
import { lastDayOffset } from '#server/coupons/core/last-day.ts';
import * as store from '#server/coupons/core/store.ts';
import { inTransaction, isUniqueViolation } from '#server/database/client.ts';
import { loggingOf } from '#server/people/notifications/service.ts';
import { COUPON_HISTORY } from '#server/texts/coupons.ts';
import { awaitFeedPicture } from './feed-pictures.ts';

/**
 * Imports a public code as the caller's coupon: for their own use, on no list, in no deal (decisions 2.6). Its value is
 * 0 if the feed gives none. A job adds the offer's picture.
 * @throws AppError code_listed if the caller has imported it already (a unique index decides)
 */
export async function importCoupon(ctx: MemberContext, offer: PublicOffer): Promise<Coupon> {
  const { merchant, code, title, description, value, discountType, terms, sourceUrl, imageUrl } = offer;
  const { expiryDate, regions, isValueRead } = offer;
  const at = ctx.clock();
  const ownerId = ctx.actor.id;
  const texts = {
    title: title.length >= TITLE_MIN ? title : t`${title} at ${merchant}`,
    description: description.length >= DESCRIPTION_MIN ? description : t`Public code: ${description}`,
  };
  return inTransaction(ctx.db, async (trx) => {
    const id = await store
      .insertCoupon(trx, {
        ...texts,
        merchant,
        expiryDate,
        regions,
        isValueRead,
        terms,
        sourceUrl,
        value: value ?? 0,
        discountType: discountType ?? 'fixed',
        lastDayOffset: lastDayOffset({ expiryDate, regions, timeZone: null }),
        hasNoExpiry: expiryDate === null,
        category: 'imported',
        isActive: false,
        codeHash: codeFingerprint(ctx.vault, merchant, code),
        ownerId,
        createdAt: at,
        updatedAt: at,
      })
      .catch((error) => {
        if (!isUniqueViolation(error, 'coupons_imported_once')) throw error;
        throw fieldError('code_listed', 'code', t`You have already imported this coupon.`);
      });
    if (imageUrl !== null) await awaitFeedPicture(trx, { couponId: id, url: imageUrl, at });
    const logging = loggingOf({
      action: 'created',
      details: COUPON_HISTORY.imported({ coupon: texts.title }),
      couponId: id,
      userId: ownerId,
      actorId: ownerId,
      at,
    });
    return present(
      ctx,
      await store.finishCoupon(trx, {
        id,
        ownerId,
        code: sealCode(ctx, id, code),
        isDrawable: true,
        logging,
      }),
    );
  });
}
