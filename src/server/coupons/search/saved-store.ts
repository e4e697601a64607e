import { COUNT_CAP } from '#contract/base/bounds.ts';
import { selectCoupons } from '#server/coupons/core/store.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

/** Saves a coupon for a person; does nothing if it is saved already. */
export async function insertSaved(
  db: Database | Trx,
  { userId, couponId, at }: { userId: number; couponId: number; at: Date },
): Promise<void> {
  await db
    .insertInto('savedCoupons')
    .values({ userId, couponId, createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteSaved(db: Database, userId: number, couponId: number): Promise<void> {
  await db.deleteFrom('savedCoupons').where('userId', '=', userId).where('couponId', '=', couponId).execute();
}

const LATEST: ListOrder = {
  name: 'saved',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['couponId', 'integer'],
  ],
};

/** The coupons a person has saved, latest first, without deleted and hidden ones and those they own by now. */
export async function listSaved(db: Database, userId: number, paging: Paging) {
  const page = openPage(paging, LATEST, COUNT_CAP);
  const saved = db
    .selectFrom('savedCoupons')
    .innerJoin('coupons', 'coupons.id', 'savedCoupons.couponId')
    .where('savedCoupons.userId', '=', userId)
    .where('coupons.deletedAt', 'is', null)
    .where('coupons.isWithheld', '=', false)
    .where('coupons.ownerId', '<>', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('userBlocks')
            .where('blockerId', '=', userId)
            .whereRef('blockedId', '=', 'coupons.ownerId'),
        ),
      ),
    )
    .select(['savedCoupons.couponId', 'savedCoupons.createdAt']);
  const slice = page.select(saved, 'savedCoupons').as('slice');
  const [rows, counts] = await Promise.all([
    page
      .sort(selectCoupons(db, userId).innerJoin(slice, 'slice.couponId', 'coupons.id'), 'slice')
      .select('slice.rowKeys')
      .execute(),
    cappedTotal(db, saved, COUNT_CAP),
  ]);
  return { ...page.finish(rows), ...counts };
}
