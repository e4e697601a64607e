import { AppError } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './standing-store.ts';

/** Whether somebody is neither banned nor gone, which stays so until the transaction ends. Lock deals first. */
export async function isWelcome(trx: Trx, userId: number): Promise<boolean> {
  return store.isWelcome(trx, userId);
}

/**
 * Makes sure that whoever begins a deal without a coupon of their own has not been banned in this very moment: a
 * coupon is looked at under its lock, and a banned person has none on the lists.
 * @throws AppError forbidden
 */
export async function checkMayBegin(trx: Trx, userId: number): Promise<void> {
  if (!(await store.isWelcome(trx, userId))) {
    throw new AppError('forbidden', 'Your account is closed. You cannot begin a deal.');
  }
}
