import { type InsertObject, type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { type CouponRow, selectCoupons } from './store.ts';

/** Fails with a unique violation of coupons_code_key if the code is listed already. */
export async function insertCoupon(trx: Trx, values: InsertObject<DB, 'coupons'>): Promise<number> {
  const row = await trx.insertInto('coupons').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Stores the sealed code (null: none, or it is stored already) and the history line of a coupon that this transaction
 * has inserted, and reads the coupon, with its owner as they are now.
 * @param given.logging inserts the line
 */
export async function finishCoupon(
  trx: Trx,
  given: {
    id: number;
    ownerId: number;
    code: Buffer | null;
    isDrawable: boolean;
    logging: RawBuilder<unknown>;
  },
): Promise<CouponRow> {
  const { id, ownerId, code, isDrawable, logging } = given;
  const { rows } = await sql<CouponRow>`
    with sealed as (
      insert into coupon_secrets (coupon_id, code, is_drawable)
      select ${id}::integer, code, ${isDrawable} from (select ${code}::bytea as code) as given where code is not null
    ), logged as (${logging})
    ${selectCoupons(trx, ownerId).where('coupons.id', '=', id)}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`Coupon ${id} is not there`);
  // A statement does not see what it stores itself.
  return code === null ? row : { ...row, sealedCode: code, isDrawable, hasCode: true };
}
