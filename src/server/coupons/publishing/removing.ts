import { lockCoupons } from '#server/coupons/core/reservations.ts';
import { discardImages, discardImagesOf } from '#server/coupons/images/service.ts';
import type { Trx } from '#server/database/client.ts';
import { discardPicturesOf } from '#server/people/pictures/service.ts';
import * as store from './removing-store.ts';

/**
 * Takes a picture off the coupons that show it: one, or all imported ones that share a feed's. Their pending deals were
 * about another offer: the caller cancels them, and discards the picture.
 * @returns the coupons that showed it, in the order of their owners
 */
export async function takePictureDown(trx: Trx, { pictureId, at }: { pictureId: string; at: Date }) {
  const showing = await store.listShowing(trx, pictureId);
  if (showing.length === 0) return [];
  const locked = await lockCoupons(trx, showing);
  return store.clearPicture(trx, { ids: locked.map(({ id }) => id), pictureId, at });
}

/** Deletes a coupon with its code and pictures. The caller has locked it and cancelled the deals on it. */
export async function deleteCoupon(trx: Trx, { id, at }: { id: number; at: Date }): Promise<void> {
  await discardImages(trx, { couponId: id, at });
  await discardPicturesOf(trx, { couponIds: [id], at });
  await store.deleteCoupons(trx, [id], at);
}

/** The ids of a person's coupons, listed or not. */
export async function ownedCouponIds(trx: Trx, ownerId: number): Promise<number[]> {
  return store.listOwned(trx, ownerId);
}

/**
 * Deletes the coupons of a person who leaves, with codes and pictures, and the list of coupons they have saved. The
 * caller has locked the coupons and cancelled the deals on them.
 */
export async function removeCouponsOf(
  trx: Trx,
  { ownerId, couponIds, at }: { ownerId: number; couponIds: readonly number[]; at: Date },
): Promise<void> {
  await discardImagesOf(trx, { couponIds, uploaderId: ownerId, at });
  await discardPicturesOf(trx, { couponIds, uploaderId: ownerId, at });
  await store.deleteCoupons(trx, couponIds, at);
  await store.deleteSavedOf(trx, ownerId);
}
