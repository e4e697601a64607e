import { sql } from 'kysely';
import type { DealKey } from '#server/coupons/core/reservations-store.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** The intents and outcomes of new codes. */

export type ReissueState = 'minting' | 'minted' | 'restoring';
type EndState = 'done' | 'refused' | 'restored' | 'given_up';

/** A coupon whose code is to be replaced. */
export interface ReissuePlan {
  readonly couponId: number;
  readonly receiverId: number;
  readonly key: string;
  readonly newCode: Buffer;
}

/** @throws a unique violation of reissues_open_once when a code of theirs is being replaced already */
export async function insertReissues(
  trx: Trx,
  plans: readonly ReissuePlan[],
  given: { exchangeId: number; actorId: number; at: Date; until: Date },
): Promise<void> {
  const { exchangeId, actorId, at, until } = given;
  const rows = plans.map((plan) => ({
    ...plan,
    ...{ exchangeId, actorId, timing: 'before', nextTryAt: until, createdAt: at, updatedAt: at },
  }));
  await trx.insertInto('reissues').values(rows).execute();
}

/**
 * Stores that a coupon that has just moved gets a new code. A code that is being replaced already follows the coupon: it
 * has not been shown to anybody.
 */
export async function queueReissue(
  trx: Trx,
  plan: ReissuePlan,
  { deal, isPaid, at }: { deal: DealKey; isPaid: boolean; at: Date },
): Promise<void> {
  const of = {
    exchangeId: 'exchangeId' in deal ? deal.exchangeId : null,
    bidId: 'bidId' in deal ? deal.bidId : null,
  };
  const to = { ...of, timing: 'after', receiverId: plan.receiverId, isPaid, actorId: null, updatedAt: at };
  await trx
    .insertInto('reissues')
    .values({ ...plan, ...to, nextTryAt: at, createdAt: at })
    .onConflict((conflict) => conflict.column('couponId').where('nextTryAt', 'is not', null).doUpdateSet(to))
    .execute();
}

const COLUMNS = [
  'reissues.id',
  'reissues.couponId',
  'reissues.exchangeId',
  'reissues.timing',
  'reissues.state',
  'reissues.key',
  'reissues.newCode',
  'reissues.receiverId',
  'reissues.isPaid',
  'reissues.actorId',
  'reissues.attempts',
  'reissues.nextTryAt',
  'reissues.createdAt',
] as const;

function selectOpen(db: Database | Trx) {
  return db
    .selectFrom('reissues')
    .select(COLUMNS)
    .where('nextTryAt', 'is not', null)
    .$narrowType<{ state: ReissueState; timing: 'before' | 'after'; newCode: Buffer; nextTryAt: Date }>()
    .orderBy('couponId');
}

export type Reissue = Awaited<ReturnType<typeof listOfExchange>>[number];

/** The open ones of an exchange that move its coupons when all are minted, in the order of their coupons. */
export async function listOfExchange(db: Database | Trx, exchangeId: number) {
  return selectOpen(db).where('exchangeId', '=', exchangeId).where('timing', '=', 'before').execute();
}

/** Locks the open ones of an exchange. Lock its coupons first. */
export async function lockOfExchange(trx: Trx, exchangeId: number): Promise<Reissue[]> {
  return selectOpen(trx)
    .where('exchangeId', '=', exchangeId)
    .where('timing', '=', 'before')
    .forUpdate()
    .execute();
}

/** Locks one that is minted, if it is; its receiver may have changed since it was found. */
export async function lockMinted(trx: Trx, id: number): Promise<Reissue | undefined> {
  return selectOpen(trx).where('id', '=', id).where('state', '=', 'minted').forUpdate().executeTakeFirst();
}

/** Which of these coupons get a new code at this moment. */
export async function listOpenCoupons(db: Database | Trx, couponIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('reissues')
    .select('couponId')
    .where('couponId', '=', sql<number>`any(${[...couponIds]}::integer[])`)
    .where('nextTryAt', 'is not', null)
    .execute();
  return rows.map(({ couponId }) => couponId);
}

/** Takes one for a call to the programme, until then; @returns false if it has moved on meanwhile. */
export async function takeReissue(
  db: Database,
  { id, state, nextTryAt }: Reissue,
  { at, until }: { at: Date; until: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('reissues')
    .set({ attempts: sql<number>`attempts + 1`, nextTryAt: until, updatedAt: at })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('nextTryAt', '=', nextTryAt)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Moves an open one on. @param change.nextTryAt null: it ends
 * @param change.newCode another code than the one that was asked for; an ended one forgets its code
 * @returns false if it was not in that state
 */
export async function moveReissue(
  db: Database | Trx,
  id: number,
  from: ReissueState,
  change: { state: ReissueState | EndState; nextTryAt: Date | null; newCode?: Buffer; at: Date },
): Promise<boolean> {
  const { state, nextTryAt, newCode, at } = change;
  const isForgotten = nextTryAt === null && state !== 'given_up';
  const row = await db
    .updateTable('reissues')
    .set({ state, nextTryAt, updatedAt: at, ...(isForgotten ? { newCode: null } : newCode && { newCode }) })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Turns all open ones of an exchange back: those that no programme has heard of end at once, the others are to be restored,
 * those whose last answer is not known only later, since it may still arrive.
 */
export async function turnBack(
  db: Database | Trx,
  exchangeId: number,
  { at, later }: { at: Date; later: Date },
): Promise<void> {
  await sql`
    update reissues set
      state = case when attempts = 0 then 'restored' else 'restoring' end,
      new_code = case when attempts = 0 then null else new_code end,
      next_try_at = case when attempts = 0 then null when state = 'minted' then ${at}::timestamptz
        else ${later}::timestamptz end,
      updated_at = ${at}
    where exchange_id = ${exchangeId} and timing = 'before' and state in ('minting', 'minted')`.execute(db);
}

/**
 * Takes those that are due for whoever goes on with them, until then. All of an exchange are taken together, and only when
 * all are due.
 */
export async function takeDue(
  db: Database,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<Reissue[]> {
  const { rows } = await sql<{ id: number }>`
    update reissues set next_try_at = ${until}, updated_at = ${now}
    where id in (
      select id from reissues as due where next_try_at <= ${now}
        and (timing = 'after' or not exists (
          select from reissues as other where other.exchange_id = due.exchange_id and other.timing = 'before'
            and other.next_try_at > ${now}))
      order by exchange_id, coupon_id limit ${limit} for update skip locked)
    returning id`.execute(db);
  if (rows.length === 0) return [];
  return selectOpen(db)
    .where('id', '=', sql<number>`any(${rows.map(({ id }) => id)}::integer[])`)
    .execute();
}

/** What the programme needs to know of a coupon whose code is replaced; undefined once it is deleted. */
export async function findCode(db: Database | Trx, couponId: number) {
  return db
    .selectFrom('coupons')
    .innerJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['coupons.merchant', 'coupons.title', 'coupons.ownerId', 'couponSecrets.code as sealedCode'])
    .where('coupons.id', '=', couponId)
    .executeTakeFirst();
}

/**
 * Gives a coupon its new code, which its programme confirms by making it, and its receiver the old one for good: nobody else
 * may list it.
 */
export async function replaceCode(
  trx: Trx,
  given: { couponId: number; receiverId: number; code: Buffer; codeHash: string; at: Date },
): Promise<void> {
  const { couponId, receiverId, code, codeHash, at } = given;
  await sql`
    with kept as (
      insert into coupon_earlier_codes (coupon_id, code_hash, merchant)
      select id, code_hash, merchant from coupons where id = ${couponId} and code_hash is not null
      on conflict do nothing
    ), owned as (
      insert into code_owners (code_hash, owner_id)
      select code_hash, ${receiverId}::integer from coupons where id = ${couponId} and code_hash is not null
      on conflict (code_hash) do update set owner_id = excluded.owner_id
    ), sealed as (
      update coupon_secrets set code = ${code}, pin = null, is_drawable = true where coupon_id = ${couponId}
    )
    update coupons set code_hash = ${codeHash}, is_verified = true, updated_at = ${at}
    where id = ${couponId}`.execute(trx);
}

/** Marks coupons as having codes that nobody but their present owners has seen, and nobody else may list. */
export async function markReissued(trx: Trx, couponIds: readonly number[], at: Date): Promise<void> {
  await sql`
    with marked as (
      update coupons set reissued_at = ${at} where id = any(${[...couponIds]}::integer[])
      returning code_hash, owner_id
    )
    insert into code_owners (code_hash, owner_id) select code_hash, owner_id from marked
    on conflict (code_hash) do update set owner_id = excluded.owner_id`.execute(trx);
}
