import { AppError } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './store.ts';

/** Whether somebody is banned or gone; locked until the transaction ends. Lock deals first. */
export async function isBannedOrGone(trx: Trx, userId: number): Promise<boolean> {
  return store.isBannedOrGone(trx, userId);
}

/**
 * Refuses a deal of somebody who has been banned in this very moment and brings no coupon of their own: coupons are
 * judged under their lock, and a banned person has none on the lists.
 * @throws AppError forbidden
 */
export async function checkNotBanned(trx: Trx, userId: number): Promise<void> {
  if (await store.isBannedOrGone(trx, userId)) {
    throw new AppError('forbidden', 'Your account is closed. You cannot begin a deal.');
  }
}
