import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** Makes a coupon wait for a picture, unless the job gave the picture up lately. */
export async function wait(
  trx: Trx,
  { couponId, url, host, at }: { couponId: number; url: string; host: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('feedPictureFetches')
    .values({ url, host, dueAt: at, askedAt: at })
    // Locks the row in any case, so that the job does not end the waiting before this coupon has joined.
    .onConflict((conflict) =>
      conflict.column('url').doUpdateSet({ askedAt: at }).where('feedPictureFetches.dueAt', 'is not', null),
    )
    .execute();
  await trx
    .insertInto('feedPictureWaits')
    .columns(['couponId', 'url'])
    .expression(
      trx
        .selectFrom('feedPictureFetches')
        .select([sql<number>`${couponId}::integer`.as('couponId'), 'url'])
        .where('url', '=', url)
        .where('dueAt', 'is not', null),
    )
    .execute();
}

export async function stopWaiting(trx: Trx, couponIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('feedPictureWaits')
    .where('couponId', '=', sql<number>`any(${[...couponIds]}::integer[])`)
    .execute();
}

/** Ends the waiting of coupons that have a picture by now, or are deleted, or whose owner is banned or gone. */
export async function stopIdleWaits(db: Database): Promise<void> {
  await sql`
    delete from feed_picture_waits using coupons, users
    where coupons.id = feed_picture_waits.coupon_id and users.id = coupons.owner_id
      and (coupons.deleted_at is not null or coupons.picture_id is not null
        or users.status = 'banned' or users.deleted_at is not null)`.execute(db);
}

/** Forgets pictures that no coupon waits for and none has asked for since `before`, except removed ones. */
export async function forgetFetches(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('feedPictureFetches')
    .where('askedAt', '<', before)
    .where('removedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feedPictureWaits').whereRef('feedPictureWaits.url', '=', 'feedPictureFetches.url'),
        ),
      ),
    )
    .execute();
}

/**
 * Takes the picture that is due the longest, at none of `exceptHosts`, and counts the attempt before it is made: a
 * process that dies in the middle leaves it to the next attempt. `nextAt` answers when that is.
 */
export async function claim(
  trx: Trx,
  given: { readonly at: Date; readonly exceptHosts: readonly string[]; nextAt(tries: number): Date },
): Promise<{ url: string; host: string; tries: number } | null> {
  const due = await trx
    .selectFrom('feedPictureFetches')
    .select(['url', 'host', 'tries'])
    .where('dueAt', '<=', given.at)
    .where(({ not }) => not(sql<boolean>`host = any(${[...given.exceptHosts]}::text[])`))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('feedPictureWaits').whereRef('feedPictureWaits.url', '=', 'feedPictureFetches.url')),
    )
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!due) return null;
  const tries = due.tries + 1;
  await trx
    .updateTable('feedPictureFetches')
    .set({ tries, dueAt: given.nextAt(tries) })
    .where('url', '=', due.url)
    .execute();
  return { ...due, tries };
}

/** Up to `limit` coupons that wait for a picture, in id order. No other can start to wait until the transaction ends. */
export async function lockWaiting(trx: Trx, url: string, limit: number): Promise<number[]> {
  await trx.selectFrom('feedPictureFetches').select('url').where('url', '=', url).forUpdate().execute();
  const rows = await trx
    .selectFrom('feedPictureWaits')
    .select('couponId')
    .where('url', '=', url)
    .orderBy('couponId')
    .limit(limit)
    .execute();
  return rows.map(({ couponId }) => couponId);
}

/** Gives a picture to those of the coupons that have none and whose owner is not barred. Lock them first. */
export async function givePicture(
  trx: Trx,
  { pictureId, couponIds, at }: { pictureId: string; couponIds: readonly number[]; at: Date },
): Promise<void> {
  await sql`
    update coupons set picture_id = ${pictureId}, updated_at = ${at}
    from users
    where coupons.id = any(${[...couponIds]}::integer[]) and coupons.picture_id is null and coupons.deleted_at is null
      and users.id = coupons.owner_id and users.status <> 'banned' and users.deleted_at is null`.execute(trx);
}

/** Ends a fetch that no coupon waits for any more. */
export async function endFetch(trx: Trx, url: string): Promise<void> {
  await trx.deleteFrom('feedPictureFetches').where('url', '=', url).where('removedAt', 'is', null).execute();
}

/** Gives a picture up. @returns how many coupons waited for it */
export async function giveUp(trx: Trx, url: string): Promise<number> {
  await trx.updateTable('feedPictureFetches').set({ dueAt: null }).where('url', '=', url).execute();
  const { numDeletedRows } = await trx
    .deleteFrom('feedPictureWaits')
    .where('url', '=', url)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Gives a picture up for ever. */
export async function forbid(
  trx: Trx,
  { url, host, at }: { url: string; host: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('feedPictureFetches')
    .values({ url, host, askedAt: at, removedAt: at })
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ removedAt: at }))
    .execute();
  await giveUp(trx, url);
}
