import { sql } from 'kysely';
import type { Transferable } from '#contract/coupons/choices.ts';
import type { Trx } from '#server/database/client.ts';
import { hasCode, isSaleStopped } from './coupon-summary-sql.ts';

/** A deal, by the foreign key column that names it. */
export type DealKey = { readonly exchangeId: number } | { readonly bidId: number };

/** `for no key update` blocks other writers, but not history lines that only refer to a coupon by foreign key. */
export async function lockCoupons(trx: Trx, ids: readonly number[]) {
  return trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiresAt'])
    .select(['transferable', 'isOpenToOffers', 'askingPrice', 'priceFloor'])
    .select(isSaleStopped.as('isSaleStopped'))
    .$narrowType<{ transferable: Transferable }>()
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** The reservations of these coupons, and whether their deals have moved them already. */
export async function listReservations(trx: Trx, ids: readonly number[]) {
  return trx
    .selectFrom('couponReservations as held')
    .select(['couponId', 'bidId'])
    .select(
      sql<boolean>`exists (select from coupon_transfers as moved where moved.coupon_id = held.coupon_id
        and (moved.bid_id = held.bid_id or moved.exchange_id = held.exchange_id))`.as('hasMoved'),
    )
    .where('couponId', '=', sql<number>`any(${[...ids]}::integer[])`)
    .execute();
}

/** @throws a unique violation of coupon_reservations_pkey when another deal holds one of them */
export async function insertReservations(
  trx: Trx,
  deal: DealKey,
  couponIds: readonly number[],
  at: Date,
): Promise<void> {
  const rows = [...couponIds].sort((a, b) => a - b).map((couponId) => ({ couponId, ...deal, createdAt: at }));
  await trx.insertInto('couponReservations').values(rows).execute();
}

export async function deleteReservations(trx: Trx, deal: DealKey, couponId: number | null): Promise<void> {
  const reservations = trx
    .deleteFrom('couponReservations')
    .$if(couponId !== null, (only) => only.where('couponId', '=', couponId));
  const held =
    'bidId' in deal
      ? reservations.where('bidId', '=', deal.bidId)
      : reservations.where('exchangeId', '=', deal.exchangeId);
  await held.execute();
}

export interface CouponMove {
  readonly couponId: number;
  readonly fromUserId: number;
  readonly toUserId: number;
}

/**
 * Changes the owners of coupons, and records the transfers and that the new owners may see the codes, if there are any.
 * It changes a coupon only while its giver owns it.
 * @returns the coupons that it has changed
 */
export async function moveCoupons(
  trx: Trx,
  given: { deal: DealKey; moves: readonly CouponMove[]; isReturn: boolean; at: Date },
): Promise<number[]> {
  const { deal, moves, isReturn, at } = given;
  const each = (of: (move: CouponMove) => number) => sql`${moves.map(of)}::integer[]`;
  const { rows } = await sql<{ id: number }>`
    with move as (
      select * from unnest(${each(({ couponId }) => couponId)}, ${each(({ fromUserId }) => fromUserId)},
        ${each(({ toUserId }) => toUserId)}) as move (coupon_id, from_user_id, to_user_id)
    ), moved as (
      update coupons set owner_id = to_user_id, client_key = null, updated_at = ${at} from move
      where coupons.id = coupon_id and owner_id = from_user_id returning coupons.id
    ), recorded as (
      insert into coupon_transfers (coupon_id, from_user_id, to_user_id, exchange_id, bid_id, is_return, created_at)
      select move.*, ${'exchangeId' in deal ? deal.exchangeId : null}::integer,
        ${'bidId' in deal ? deal.bidId : null}::integer, ${isReturn}::boolean, ${at}::timestamptz from move
      order by coupon_id
    ), shown as (
      insert into coupon_reveals (coupon_id, user_id, revealed_at)
      select coupon_id, to_user_id, ${at}::timestamptz from move where ${hasCode(sql.ref('move.couponId'))}
      order by coupon_id
    )
    select id from moved`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function delistCoupon(trx: Trx, couponId: number, at: Date): Promise<void> {
  await trx
    .updateTable('coupons')
    // The end of a ban would list again what it has hidden.
    .set({ isActive: false, isWithheld: false, updatedAt: at })
    .where('id', '=', couponId)
    .execute();
}
