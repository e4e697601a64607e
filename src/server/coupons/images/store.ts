import { type Insertable, sql } from 'kysely';
import type { ImageKind } from '#contract/coupons/images.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

export async function insertImage(db: Database, image: Insertable<DB['images']>): Promise<void> {
  await db.insertInto('images').values(image).execute();
}

/** Keeps a new upload whose files are stored. @returns false if its time to be discarded has come */
export async function keepUpload(db: Database, { id, at }: { id: string; at: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set({ discardedAt: null })
    .where('id', '=', id)
    .where('discardedAt', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A picture of a code that is neither attached nor discarded. */
export function findUnattached(db: Database, id: string) {
  return db
    .selectFrom('images')
    .select(['id', 'uploaderId', 'kind', 'contentType', 'codes', 'createdAt', 'keptUntil'])
    .$narrowType<{ kind: ImageKind }>()
    .where('id', '=', id)
    .where('kind', '!=', 'evidence')
    .where('couponId', 'is', null)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
}

export function findOfCoupon(db: Database | Trx, couponId: number, kind: ImageKind) {
  return db
    .selectFrom('images')
    .select(['id', 'contentType', 'codes'])
    .where('couponId', '=', couponId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** The latest pictures in which a person may have found a coupon's code: the coupon's, and their own unattached uploads. */
export function listSources(
  trx: Trx,
  given: { couponId: number; uploaderId: number; after: Date; limit: number },
) {
  const own = trx
    .selectFrom('images')
    .select(['id', 'codes'])
    .where('uploaderId', '=', given.uploaderId)
    .where('createdAt', '>', given.after)
    .where('couponId', 'is', null)
    .where('discardedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(given.limit);
  return trx
    .selectFrom('images')
    .select(['id', 'codes'])
    .where('couponId', '=', given.couponId)
    .unionAll(trx.selectFrom(own.as('own')).select(['id', 'codes']))
    .execute();
}

/** Attaches a person's own unattached upload, younger than `after` or kept, to a coupon. @returns undefined if there is none */
export function attachUpload(
  trx: Trx,
  image: {
    readonly id: string;
    readonly uploaderId: number;
    readonly after: Date;
    readonly at: Date;
    readonly couponId: number;
    readonly kind: ImageKind;
  },
) {
  return trx
    .updateTable('images')
    .set({ couponId: image.couponId, kind: image.kind })
    .where('id', '=', image.id)
    .where('kind', '!=', 'evidence')
    .where('uploaderId', '=', image.uploaderId)
    .where((or) => or.or([or('createdAt', '>', image.after), or('keptUntil', '>', image.at)]))
    .where('couponId', 'is', null)
    .where('discardedAt', 'is', null)
    .returning(['id', 'codes'])
    .executeTakeFirst();
}

/** Discards a coupon's pictures of one kind, or all. */
export async function discardOfCoupon(
  trx: Trx,
  { couponId, kind, at }: { couponId: number; kind?: ImageKind | undefined; at: Date },
): Promise<void> {
  await trx
    .updateTable('images')
    .set({ couponId: null, discardedAt: at })
    .where('couponId', '=', couponId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .execute();
}

/** Keeps uploads until then. */
export async function keepUntil(
  trx: Trx,
  { ids, until }: { ids: readonly string[]; until: Date },
): Promise<void> {
  await trx
    .updateTable('images')
    .set({ keptUntil: until })
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}

/** Discards uploads that no coupon has taken. */
export async function discardUnattached(
  trx: Trx,
  { ids, at }: { ids: readonly string[]; at: Date },
): Promise<void> {
  await trx
    .updateTable('images')
    .set({ discardedAt: at })
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('couponId', 'is', null)
    .where('discardedAt', 'is', null)
    .execute();
}

/** Discards the pictures of these coupons, the uploader's unattached uploads, and their evidence. */
export async function discardOfPerson(
  trx: Trx,
  { couponIds, uploaderId, at }: { couponIds: readonly number[]; uploaderId: number; at: Date },
): Promise<void> {
  await trx
    .updateTable('images')
    .set({ couponId: null, discardedAt: at })
    .where('discardedAt', 'is', null)
    .where((where) =>
      where.or([
        where('couponId', '=', sql<number>`any(${[...couponIds]}::integer[])`),
        where.and([where('couponId', 'is', null), where('uploaderId', '=', uploaderId)]),
      ]),
    )
    .execute();
}

/** Discards expired unattached uploads, so that no coupon can take them any more. */
export async function discardExpired(
  db: Database,
  { members, anonymous, at }: { members: Date; anonymous: Date; at: Date },
): Promise<void> {
  await db
    .updateTable('images')
    .set({ discardedAt: at })
    .where('couponId', 'is', null)
    .where('claimId', 'is', null)
    .where('discardedAt', 'is', null)
    .where((eb) => eb.or([eb('keptUntil', 'is', null), eb('keptUntil', '<=', at)]))
    .where((eb) =>
      eb.or([
        eb('createdAt', '<=', members),
        eb.and([eb('uploaderId', 'is', null), eb('createdAt', '<=', anonymous)]),
      ]),
    )
    .execute();
}

export async function isKept(db: Database, id: string): Promise<boolean> {
  const query = db.selectFrom('images').select('id').where('id', '=', id).where('discardedAt', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}
