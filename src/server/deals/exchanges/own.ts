import { t } from '@lingui/core/macro';
import type { ExchangeSide } from '#contract/deals/deals.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { sideOf } from './rules.ts';
import * as store from './store.ts';

/** An exchange of the caller's, and their side of it. */
interface OwnExchange {
  readonly exchange: store.ExchangeRow;
  readonly side: ExchangeSide;
}

/** @throws AppError not_found, for strangers too */
export async function findOwn(trx: Trx, id: number, actorId: number): Promise<OwnExchange> {
  return asOwn(await store.findExchange(trx, id), actorId);
}

/** Like `findOwn`, with the exchange and its coupons locked. @returns also the coupons: those that it had before the wait */
export async function lockOwn(
  trx: Trx,
  id: number,
  actorId: number,
): Promise<OwnExchange & { readonly coupons: readonly store.TradedCoupon[] }> {
  const coupons = await store.lockTradedCoupons(trx, id, actorId);
  // Nothing is locked for strangers.
  return { ...asOwn(coupons.length > 0 ? await store.findLocked(trx, id) : undefined, actorId), coupons };
}

function asOwn(exchange: store.ExchangeRow | undefined, actorId: number): OwnExchange {
  const side = exchange && sideOf(exchange, actorId);
  if (!exchange || !side) throw notFound(t`Exchange not found`);
  return { exchange, side };
}
