import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/**
 * Reads a coupon's owner and, if that is `userId`, the sealed code. Locks the coupon (shared) until the transaction
 * ends, so that nobody reads the code of a coupon that they have just given away.
 */
export async function readSecretOf(
  trx: Trx,
  couponId: number,
  userId: number,
): Promise<
  { ownerId: number; sealedCode: Buffer | null; sealedPin: Buffer | null; hasPicture: boolean } | undefined
> {
  return trx
    .selectFrom('coupons')
    .leftJoin('couponSecrets', (join) =>
      join.onRef('couponSecrets.couponId', '=', 'coupons.id').on('coupons.ownerId', '=', userId),
    )
    .select(['coupons.ownerId', 'couponSecrets.code as sealedCode', 'couponSecrets.pin as sealedPin'])
    .select(sql<boolean>`exists (select from images where images.coupon_id = coupons.id)`.as('hasPicture'))
    .where('coupons.id', '=', couponId)
    .where('coupons.deletedAt', 'is', null)
    .forShare('coupons')
    .executeTakeFirst();
}

/** Whether Discover has an offer with this fingerprint. */
export async function isOffered(trx: Trx, identity: string): Promise<boolean> {
  const offers = trx.selectFrom('feedOffers').select('id').where('identity', '=', identity);
  return (await offers.executeTakeFirst()) !== undefined;
}

/** Whether a coupon has a code whose text says all that its symbol holds. */
export async function isDrawable(db: Database, couponId: number): Promise<boolean> {
  const row = await db
    .selectFrom('couponSecrets')
    .select('isDrawable')
    .where('couponId', '=', couponId)
    .executeTakeFirst();
  return row?.isDrawable ?? false;
}

/** Records a view and where it came from, as evidence for disputes. */
export async function insertReveal(
  trx: Trx,
  view: {
    couponId: number;
    userId: number;
    keyName: string | null;
    at: Date;
    address: string;
    userAgent: string;
  },
): Promise<void> {
  const { at, address, userAgent, ...columns } = view;
  await trx
    .insertInto('couponReveals')
    .values({
      ...columns,
      revealedAt: at,
      address: address || null,
      userAgent: userAgent || null,
    })
    .execute();
}

/** Forgets where views before an instant came from. */
export async function forgetOrigins(db: Database, before: Date): Promise<void> {
  await db
    .updateTable('couponReveals')
    .set({ address: null, userAgent: null })
    .where('revealedAt', '<', before)
    .where('address', 'is not', null)
    .execute();
}

/** Whether the person, or their key of this name, has viewed the code since `since`. */
export async function hasReveal(
  trx: Trx,
  { couponId, userId, keyName }: { couponId: number; userId: number; keyName: string | null },
  since: Date,
): Promise<boolean> {
  const latest = await trx
    .selectFrom('couponReveals')
    .select('id')
    .where('couponId', '=', couponId)
    .where('userId', '=', userId)
    .where('keyName', 'is not distinct from', keyName)
    .where('revealedAt', '>', since)
    .limit(1)
    .executeTakeFirst();
  return latest !== undefined;
}

/** Records a view of each of these coupons by their owner, where nobody knows from which browser. */
export async function insertReveals(
  trx: Trx,
  given: { couponIds: readonly number[]; userId: number; keyName?: string; at: Date },
): Promise<void> {
  const { couponIds, at, ...columns } = given;
  if (couponIds.length === 0) return;
  const rows = couponIds.map((couponId) => ({ ...columns, couponId, revealedAt: at }));
  await trx.insertInto('couponReveals').values(rows).execute();
}

/**
 * The coupons of a person with ids above `after` and their sealed codes, in id order. Locks them (shared), as
 * `readSecretOf` does.
 */
export function listOwnSecrets(trx: Trx, given: { ownerId: number; after: number; limit: number }) {
  return trx
    .selectFrom('coupons')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['id', 'title', 'merchant', 'category', 'discountType', 'value', 'expiryDate', 'description'])
    .select(['terms', 'regions', 'askingPrice'])
    .select(['couponSecrets.code as sealedCode', 'couponSecrets.pin as sealedPin'])
    .select(sql<boolean>`exists (select from images where images.coupon_id = coupons.id)`.as('hasPicture'))
    .where('ownerId', '=', given.ownerId)
    .where('deletedAt', 'is', null)
    .where('id', '>', given.after)
    .orderBy('id')
    .limit(given.limit)
    .forShare('coupons')
    .execute();
}

/** Lists who has viewed a code, latest first. */
export async function listReveals(trx: Trx, couponId: number, limit: number) {
  return trx
    .selectFrom('couponReveals')
    .innerJoin('users', 'users.id', 'couponReveals.userId')
    .select(['users.username', 'users.pictureId', 'couponReveals.revealedAt', 'couponReveals.reportedAt'])
    .select('couponReveals.keyName')
    .where('couponReveals.couponId', '=', couponId)
    .orderBy('couponReveals.id', 'desc')
    .limit(limit)
    .execute();
}

/** Reads a coupon that is not deleted and its sealed code, to check the code with a provider and never to show it. */
export async function findForValidation(db: Database | Trx, id: number) {
  return db
    .selectFrom('coupons')
    .leftJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['coupons.ownerId', 'coupons.title', 'coupons.merchant', 'couponSecrets.code as sealedCode'])
    .select([
      sql<number>`coalesce((select max(id) from reissues where coupon_id = coupons.id), 0)`.as(
        'lastReissueId',
      ),
      sql<boolean>`exists (select from reissues where coupon_id = coupons.id and next_try_at is not null)`.as(
        'isReissuing',
      ),
    ])
    .where('coupons.id', '=', id)
    .where('coupons.deletedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * Marks a coupon as verified or not verified if its code still has this fingerprint. Lock the coupon first.
 * @returns whether anything changed
 */
export async function setVerified(
  trx: Trx,
  given: { id: number; codeHash: string; isVerified: boolean },
): Promise<boolean> {
  const row = await trx
    .updateTable('coupons')
    .set({ isVerified: given.isVerified })
    .where('id', '=', given.id)
    .where('codeHash', '=', given.codeHash)
    .where('isVerified', '!=', given.isVerified)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the hash of the present code before an edit replaces the code or its merchant. */
export async function keepEarlierCode(trx: Trx, couponId: number): Promise<void> {
  await trx
    .insertInto('couponEarlierCodes')
    .columns(['couponId', 'codeHash', 'merchant'])
    .expression((from) =>
      from
        .selectFrom('coupons')
        .select(['id', sql<string>`code_hash`.as('codeHash'), 'merchant'])
        .where('id', '=', couponId)
        .where('codeHash', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores the sealed PIN of a coupon's code, or removes it. @returns whether the coupon has a code */
export async function setPin(trx: Trx, couponId: number, pin: Buffer | null): Promise<boolean> {
  const row = await trx
    .updateTable('couponSecrets')
    .set({ pin })
    .where('couponId', '=', couponId)
    .returning('couponId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the hash of a code on a picture. */
export async function keepCode(
  trx: Trx,
  code: { couponId: number; codeHash: string; merchant: string },
): Promise<void> {
  await trx
    .insertInto('couponEarlierCodes')
    .values(code)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
