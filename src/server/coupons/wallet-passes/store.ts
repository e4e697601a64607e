import { sql } from 'kysely';
import type { DiscountType } from '#contract/coupons/choices.ts';
import type { Wallet } from '#contract/coupons/wallet-passes.ts';
import type { Database, Trx } from '#server/database/client.ts';

/**
 * Gives a coupon's holder a pass, or notes that they have asked again for the one they have. The caller has locked the
 * coupon and checked its owner; the database checks it again.
 * @returns undefined if the coupon is used
 */
export async function putPass(
  trx: Trx,
  pass: { id: string; couponId: number; holderId: number; wallet: Wallet; at: Date },
): Promise<string | undefined> {
  const { id, couponId, holderId, wallet, at } = pass;
  const row = await trx
    .insertInto('walletPasses')
    .columns(['id', 'couponId', 'holderId', 'wallet', 'addedAt'])
    .expression((eb) =>
      eb
        .selectFrom('coupons')
        .select([
          eb.val(id).as('id'),
          'coupons.id as couponId',
          eb.val(holderId).as('holderId'),
          eb.val(wallet).as('wallet'),
          sql<Date>`${at}::timestamptz`.as('addedAt'),
        ])
        .where('coupons.id', '=', couponId)
        .where('usedAt', 'is', null),
    )
    .onConflict((conflict) =>
      conflict.columns(['couponId', 'wallet']).where('voidedAt', 'is', null).doUpdateSet({ addedAt: at }),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The pass of a coupon that is not void. */
export async function findLive(
  trx: Trx,
  { couponId, wallet }: { couponId: number; wallet: Wallet },
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('walletPasses')
    .select('id')
    .where('couponId', '=', couponId)
    .where('wallet', '=', wallet)
    .where('voidedAt', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

export function findPass(db: Database | Trx, id: string, wallet: Wallet) {
  return db
    .selectFrom('walletPasses')
    .select(['couponId', 'holderId', 'changedAt', 'voidedAt'])
    .where('id', '=', id)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
}

/**
 * What a pass shows, with the sealed code; undefined if it is void. Locks the coupon (shared) until the transaction ends.
 */
export function readContent(trx: Trx, id: string) {
  return trx
    .selectFrom('walletPasses')
    .innerJoin('coupons', (join) =>
      join
        .onRef('coupons.id', '=', 'walletPasses.couponId')
        .onRef('coupons.ownerId', '=', 'walletPasses.holderId'),
    )
    .innerJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['coupons.id', 'title', 'merchant', 'value', 'discountType', 'expiryDate', 'expiresAt', 'terms'])
    .select(['couponSecrets.code as sealedCode', 'couponSecrets.pin as sealedPin'])
    .$narrowType<{ discountType: DiscountType }>()
    .where('walletPasses.id', '=', id)
    .where('voidedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .forShare('coupons')
    .executeTakeFirst();
}

/** @returns whether the device was not registered for the pass yet */
export async function putDevice(
  trx: Trx,
  device: { deviceId: string; passId: string; pushToken: string; at: Date },
): Promise<boolean> {
  const { at, ...columns } = device;
  const { pushToken } = device;
  const row = await trx
    .insertInto('walletDevices')
    .values({ ...columns, registeredAt: at })
    .onConflict((conflict) =>
      conflict.columns(['deviceId', 'passId']).doUpdateSet({ pushToken, registeredAt: at }),
    )
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return row.isNew;
}

/** Keeps the devices of a pass that were registered last. */
export async function keepLatestDevices(trx: Trx, passId: string, most: number): Promise<void> {
  const others = trx
    .selectFrom('walletDevices')
    .select('deviceId')
    .where('passId', '=', passId)
    .orderBy('registeredAt', 'desc')
    .orderBy('deviceId')
    .offset(most);
  await trx
    .deleteFrom('walletDevices')
    .where('passId', '=', passId)
    .where('deviceId', 'in', others)
    .execute();
}

export async function removeDevice(db: Database, passId: string, deviceId: string): Promise<void> {
  await db
    .deleteFrom('walletDevices')
    .where('passId', '=', passId)
    .where('deviceId', '=', deviceId)
    .execute();
}

/** A transaction that is under way may have changed a pass so long before it is seen. */
const UNSEEN = sql`interval '5 minutes'`;

/**
 * The passes of a device that have changed since a tag, some of them perhaps again, and the next tag: seconds of the
 * database's clock.
 */
export async function listChanged(
  db: Database,
  { deviceId, since }: { deviceId: string; since: number },
): Promise<{ ids: string[]; tag: string }> {
  const { rows } = await sql<{ ids: string[] | null; tag: string }>`
    select array_agg(wallet_passes.id order by wallet_passes.id) as ids,
      floor(extract(epoch from clock_timestamp()))::bigint::text as tag
    from wallet_devices join wallet_passes on wallet_passes.id = wallet_devices.pass_id
    where device_id = ${deviceId} and changed_at > to_timestamp(${since}) - ${UNSEEN}`.execute(db);
  return { ids: rows[0]?.ids ?? [], tag: rows[0]?.tag ?? '0' };
}

/** Takes the pass whose wallet has waited longest, and counts the attempt. `retryAt`: when it is tried again. */
export function takeDue(db: Database, { at }: { at: Date }) {
  const due = db
    .selectFrom('walletPasses')
    .select('id')
    .where('dueAt', '<=', at)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return (
    db
      .updateTable('walletPasses')
      // A minute, two, four … a day.
      .set((eb) => ({
        attempts: eb('attempts', '+', 1),
        dueAt: sql<Date>`${at}::timestamptz + least(interval '1 minute' * power(2, least(attempts, 11)), interval '1 day')`,
      }))
      .where('id', '=', due)
      .returning(['id', 'couponId', 'holderId', 'wallet', 'attempts', 'changedAt', 'addedAt'])
      .$narrowType<{ wallet: Wallet }>()
      .executeTakeFirst()
  );
}

/** Notes that the wallet need not be told any more, unless the pass has changed since. */
export async function settle(db: Database, pass: { id: string; changedAt: Date }): Promise<void> {
  await db
    .updateTable('walletPasses')
    .set({ dueAt: null, attempts: 0 })
    .where('id', '=', pass.id)
    .where('changedAt', '=', pass.changedAt)
    .execute();
}

export async function listPushTokens(db: Database, passId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('walletDevices')
    .select('pushToken')
    .distinct()
    .where('passId', '=', passId)
    .execute();
  return rows.map(({ pushToken }) => pushToken);
}

export async function forgetPushTokens(db: Database, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  await db
    .deleteFrom('walletDevices')
    .where('pushToken', '=', sql<string>`any(${[...tokens]}::text[])`)
    .execute();
}

/** Forgets passes that have been void since before an instant, with their devices. */
export async function forgetVoid(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('walletPasses').where('voidedAt', '<', before).execute();
}
