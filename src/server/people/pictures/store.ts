import { type Insertable, sql } from 'kysely';
import type { PictureKind } from '#contract/people/pictures.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

export async function insertPicture(db: Database | Trx, picture: Insertable<DB['pictures']>): Promise<void> {
  await db.insertInto('pictures').values(picture).execute();
}

/** Keeps a new upload whose files are stored. @returns false if its time to be discarded has come */
export async function keepUpload(db: Database, { id, at }: { id: string; at: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pictures')
    .set({ discardedAt: null })
    .where('id', '=', id)
    .where('discardedAt', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The files of a picture that is not discarded. */
export async function filesOf(db: Database, id: string): Promise<readonly string[] | undefined> {
  const query = db
    .selectFrom('pictures')
    .select('files')
    .where('id', '=', id)
    .where('discardedAt', 'is', null);
  return (await query.executeTakeFirst())?.files;
}

/** Attaches an upload of the person, or of nobody, younger than these times. @returns false if there is none */
export async function attachUpload(
  trx: Trx,
  given: {
    readonly id: string;
    readonly kind: PictureKind;
    readonly uploaderId: number | null;
    readonly after: Date;
    readonly at: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('pictures')
    .set({ attachedAt: given.at })
    .where('id', '=', given.id)
    .where('kind', '=', given.kind)
    .where('uploaderId', 'is not distinct from', given.uploaderId)
    .where('createdAt', '>', given.after)
    .where('attachedAt', 'is', null)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function discarding(db: Database | Trx, at: Date) {
  return db.updateTable('pictures').set({ discardedAt: at }).where('discardedAt', 'is', null);
}

export async function discard(trx: Trx, id: string, at: Date): Promise<void> {
  await discarding(trx, at).where('id', '=', id).execute();
}

/** Discards a picture unless it is a feed's: other coupons may show that too. */
export async function discardUploaded(trx: Trx, id: string, at: Date): Promise<void> {
  await discarding(trx, at).where('id', '=', id).where('sourceUrl', 'is', null).execute();
}

/** Discards the uploaded pictures of these coupons, and the uploader's that nothing has taken. */
export async function discardOf(
  trx: Trx,
  { couponIds, uploaderId, at }: { couponIds: readonly number[]; uploaderId?: number; at: Date },
): Promise<void> {
  await discarding(trx, at)
    .where('sourceUrl', 'is', null)
    .where(({ or, and, eb, selectFrom }) =>
      or([
        eb(
          'id',
          'in',
          selectFrom('coupons')
            .select('pictureId')
            .where('coupons.id', '=', sql<number>`any(${[...couponIds]}::integer[])`)
            .where('pictureId', 'is not', null)
            .$narrowType<{ pictureId: string }>(),
        ),
        and([eb('attachedAt', 'is', null), eb('uploaderId', '=', uploaderId ?? 0)]),
      ]),
    )
    .execute();
}

/** Discards expired uploads that are attached to nothing, so that nothing can take them any more. */
export async function discardExpired(
  db: Database,
  { members, anonymous, at }: { members: Date; anonymous: Date; at: Date },
): Promise<void> {
  await discarding(db, at)
    .where('attachedAt', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('createdAt', '<=', members),
        and([eb('uploaderId', 'is', null), eb('createdAt', '<=', anonymous)]),
      ]),
    )
    .execute();
}

/** A feed's picture from this address, taken after `after`. It is kept until the transaction ends. */
export async function findFeedPicture(trx: Trx, sourceUrl: string, after: Date): Promise<string | null> {
  const found = await trx
    .selectFrom('pictures')
    .select('id')
    .where('sourceUrl', '=', sourceUrl)
    .where('createdAt', '>', after)
    .where('discardedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .forShare()
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Where a feed has this picture; null for an upload. */
export async function sourceOf(trx: Trx, id: string): Promise<string | null> {
  const found = await trx.selectFrom('pictures').select('sourceUrl').where('id', '=', id).executeTakeFirst();
  return found?.sourceUrl ?? null;
}

/** Discards the pictures of feeds that no coupon shows, taken before `before`. */
export async function discardUnshown(
  db: Database,
  { before, at }: { before: Date; at: Date },
): Promise<void> {
  await discarding(db, at)
    .where('sourceUrl', 'is not', null)
    .where('createdAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('coupons').whereRef('coupons.pictureId', '=', 'pictures.id'))),
    )
    .execute();
}
