import { type InsertObject, type RawBuilder, sql, type UpdateObject } from 'kysely';
import type { DiscountType, StoredCategory, Transferable } from '#contract/coupons/choices.ts';
import type { ImageKind } from '#contract/coupons/images.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { createPrepared } from '#server/database/prepared.ts';
import type { DB } from '#server/database/types.ts';
import { meanRating } from '#server/people/accounts/mean-rating-sql.ts';
import { ENDS_AT } from './coupon-filter-sql.ts';

/** The kinds of code pictures that a coupon has. */
const IMAGE_KINDS = sql<ImageKind[]>`array(select kind from images where images.coupon_id = coupons.id)`;

/** Like `hasCode` of coupon-summary-sql.ts, for a query that joins the codes: a second look-up would double its time. */
const HAS_PICTURE = sql<boolean>`exists (select from images where images.coupon_id = coupons.id)`;

/**
 * Selects coupons with their owners. The sealed code, the kinds of its pictures and the lowest price are included only for
 * the viewer's own coupons.
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
      'coupons.health',
      'coupons.checkedAt',
    ])
    .select([
      'coupons.isValueRead',
      'coupons.regions',
      'coupons.transferable',
      'coupons.isOpenToOffers',
      'coupons.askingPrice',
      'coupons.pictureId',
      'coupons.isActive',
      'coupons.reissuedAt',
      'coupons.usedAt',
      'coupons.ownerId',
      'coupons.createdAt',
      'coupons.updatedAt',
    ])
    .select(['users.username as ownerUsername', 'users.deletedAt as ownerDeletedAt'])
    .select(meanRating('users').as('ownerRating'))
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

const couponById = createPrepared('coupon-by-id', (db, { id, viewerId }: { id: number; viewerId: number }) =>
  selectVisible(db, viewerId).where('coupons.id', '=', id),
);

/** Finds a coupon that is not deleted, live or expired. A ban hides coupons from everybody but their owner. */
export async function findCoupon(db: Database | Trx, id: number, viewerId: number | null) {
  const [row] = await couponById(db, { id, viewerId: viewerId ?? 0 });
  return row;
}

/** Finds the coupon that its owner has listed with this key. */
export async function findByClientKey(db: Database, ownerId: number, clientKey: string) {
  return selectCoupons(db, ownerId)
    .where('coupons.ownerId', '=', ownerId)
    .where('coupons.clientKey', '=', clientKey)
    .executeTakeFirst();
}

interface CouponsOfPage {
  readonly viewerId: number;
  readonly [place: number]: number;
}

/** A statement for each of these numbers of ids: one with an array of ids is planned anew each time. */
const COUPONS_BY_IDS = [6, 12, 24, 50, 100].map((size) => ({
  size,
  find: createPrepared(`coupons-by-${size}-ids`, (db, page: CouponsOfPage) => {
    const ids = Array.from({ length: size }, (_, place) => page[place] ?? 0);
    return selectVisible(db, page.viewerId).where('coupons.id', 'in', ids);
  }),
}));
const MOST_IDS = 100;

/** Finds these coupons, in no order, without those that are deleted or hidden. */
export async function findCoupons(
  db: Database,
  ids: readonly number[],
  viewerId: number | null,
): Promise<CouponRow[]> {
  const [page, rest] = [ids.slice(0, MOST_IDS), ids.slice(MOST_IDS)];
  const found = COUPONS_BY_IDS.find(({ size }) => page.length > 0 && size >= page.length);
  if (!found) return [];
  const rows = await found.find(db, { ...page, viewerId: viewerId ?? 0 });
  return rest.length > 0 ? [...rows, ...(await findCoupons(db, rest, viewerId))] : rows;
}

function selectVisible(db: Database | Trx, viewerId: number) {
  return selectCoupons(db, viewerId)
    .where('coupons.deletedAt', 'is', null)
    .where((where) =>
      where.or([where('coupons.isWithheld', '=', false), where('coupons.ownerId', '=', viewerId)]),
    );
}

/** The caller has locked the coupon. Fails with a unique violation of coupons_code_key if the code is listed already. */
export async function updateCoupon(trx: Trx, id: number, values: UpdateObject<DB, 'coupons'>): Promise<void> {
  await trx
    .updateTable('coupons')
    .set(values)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Stores the sealed code that a coupon's owner gives; replaces the previous one. */
export async function putSecret(
  trx: Trx,
  couponId: number,
  secret: { code: Buffer; isDrawable: boolean },
): Promise<void> {
  // For the chain of exposures: otherwise the merchant has issued the code.
  await sql`select set_config('clipswap.code_change', 'edited', true)`.execute(trx);
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

/**
 * Delists up to `limit` coupons whose last day has passed, which removes them from the indexes of live coupons. Skips
 * locked ones; a later run takes them.
 */
export async function delistPast(db: Database, now: Date, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .with('past', (cte) =>
      cte
        .selectFrom('coupons')
        .select('id')
        .where('isActive', '=', true)
        .where(ENDS_AT, '<', now)
        .orderBy(ENDS_AT)
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('coupons')
    .from('past')
    .set({ isActive: false })
    .whereRef('coupons.id', '=', 'past.id')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
