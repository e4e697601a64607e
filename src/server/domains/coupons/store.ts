import { sql, type UpdateObject } from 'kysely';
import type { DiscountType, StoredCategory, Transferable } from '#contract/coupon-facts.ts';
import type { ImageKind } from '#contract/images.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** The kinds of code pictures that a coupon has. */
const IMAGE_KINDS = sql<ImageKind[]>`array(select kind from images where images.coupon_id = coupons.id)`;

/** `hasCode` of coupon-summary.ts, where the codes are joined: to look for each again takes as long as for the coupon. */
const HAS_PICTURE = sql<boolean>`exists (select from images where images.coupon_id = coupons.id)`;

/**
 * Coupons with their owners. The sealed code, the kinds of its pictures and the lowest price are included only for the
 * viewer's own coupons.
 */
export function selectCoupons(db: Database | Trx, viewerId: number | null) {
  return db
    .selectFrom('coupons')
    .innerJoin('users', 'users.id', 'coupons.ownerId')
    .leftJoin('couponReservations', 'couponReservations.couponId', 'coupons.id')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .leftJoin('savedCoupons', (join) =>
      join.onRef('savedCoupons.couponId', '=', 'coupons.id').on('savedCoupons.userId', '=', viewerId ?? 0),
    )
    .select(['coupons.id', 'coupons.title', 'coupons.description', 'coupons.value', 'coupons.discountType'])
    .select(['coupons.merchant', 'coupons.category', 'coupons.hasNoExpiry', 'coupons.expiryDate'])
    .select([
      'coupons.timeZone',
      'coupons.expiresAt',
      'coupons.terms',
      'coupons.sourceUrl',
      'coupons.isVerified',
    ])
    .select([
      'coupons.isValueRead',
      'coupons.regions',
      'coupons.transferable',
      'coupons.isOpenToOffers',
      'coupons.askingPrice',
      'coupons.pictureId',
      'coupons.isActive',
      'coupons.ownerId',
      'coupons.createdAt',
      'coupons.updatedAt',
    ])
    .select(['users.username as ownerUsername', 'users.deletedAt as ownerDeletedAt'])
    .select((select) => [
      select('couponReservations.couponId', 'is not', null).as('isReserved'),
      select('coupons.waitingSince', 'is not', null).as('isWaiting'),
      sql<boolean>`(coupon_secrets.coupon_id is not null or ${HAS_PICTURE})`.as('hasCode'),
      select('savedCoupons.couponId', 'is not', null).as('isSaved'),
      select.case().when('coupons.ownerId', '=', viewerId).then(IMAGE_KINDS).end().as('imageKinds'),
      select
        .case()
        .when('coupons.ownerId', '=', viewerId)
        .then(select.ref('couponSecrets.code'))
        .end()
        .as('sealedCode'),
      'couponSecrets.isDrawable',
      select
        .case()
        .when('coupons.ownerId', '=', viewerId)
        .then(select.ref('coupons.priceFloor'))
        .end()
        .as('priceFloor'),
    ])
    .$narrowType<{
      category: StoredCategory;
      discountType: DiscountType;
      transferable: Transferable;
      isReserved: boolean;
      isWaiting: boolean;
      isSaved: boolean;
    }>();
}

export type CouponRow = Awaited<ReturnType<ReturnType<typeof selectCoupons>['execute']>>[number];

/** Lock the coupon first. Fails with a unique violation of coupons_code_key if the code is listed already. */
export async function updateCoupon(trx: Trx, id: number, values: UpdateObject<DB, 'coupons'>): Promise<void> {
  await trx
    .updateTable('coupons')
    .set(values)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Stores a sealed code; replaces the previous one. */
export async function putSecret(
  trx: Trx,
  couponId: number,
  secret: { code: Buffer; isDrawable: boolean },
): Promise<void> {
  await trx
    .insertInto('couponSecrets')
    .values({ couponId, ...secret })
    .onConflict((conflict) => conflict.column('couponId').doUpdateSet(secret))
    .execute();
}

/** Keeps a stored code from being drawn. */
export async function markUndrawable(trx: Trx, couponId: number): Promise<void> {
  await trx
    .updateTable('couponSecrets')
    .set({ isDrawable: false })
    .where('couponId', '=', couponId)
    .execute();
}
