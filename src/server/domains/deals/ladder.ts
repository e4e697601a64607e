import { DEALS_TO_ESTABLISH, OPEN_DEALS_AFTER_FIRST, OPEN_DEALS_AT_FIRST } from '#contract/limits.ts';
import { AppError } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import * as store from './ladder-store.ts';

/**
 * New people have few deals open at a time, more once the first has gone well, and as many as they like after
 * DEALS_TO_ESTABLISH with different people (decisions 3.16). Locks a new person's row until the transaction ends, so that
 * simultaneous deals count each other. Lock coupons and deals first.
 * @throws AppError too_many_deals
 */
export async function checkLadder(trx: Trx, userId: number, at: Date): Promise<void> {
  if (!(await store.lockNewcomer(trx, userId))) return;
  const { open, goneWell } = await store.countDeals(trx, userId, at);
  if (goneWell >= DEALS_TO_ESTABLISH) return store.establish(trx, userId, at);
  const most = goneWell === 0 ? OPEN_DEALS_AT_FIRST : OPEN_DEALS_AFTER_FIRST;
  if (open >= most) throw new AppError('too_many_deals', textOf(most, goneWell));
}

function textOf(most: number, goneWell: number): string {
  const until =
    goneWell === 0
      ? 'until the first has gone well'
      : `until deals with ${DEALS_TO_ESTABLISH} people have gone well`;
  return `You have ${most} deals open. As a new member you can have ${most} at a time ${until}: a deal stays open until the time to claim is over. Withdraw one, or wait until one has ended.`;
}
