import { type Selectable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DeliveryProblem } from '#contract/people/webhooks.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';

export type EndpointRow = Selectable<DB['webhookEndpoints']>;

/** Makes other calls that add an address for this person wait. @returns how many they have */
export async function countLocked(trx: Trx, userId: number): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const own = await trx.selectFrom('webhookEndpoints').select('id').where('userId', '=', userId).execute();
  return own.length;
}

/** The id of the next address: its secret is sealed under it. */
export async function nextId(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('webhook_endpoints', 'id'))::integer as id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('The sequence of webhook_endpoints has no next value');
  return row.id;
}

export async function insertEndpoint(
  trx: Trx,
  endpoint: Pick<
    EndpointRow,
    'id' | 'userId' | 'url' | 'secret' | 'events' | 'isForAll' | 'keyId' | 'createdAt'
  >,
): Promise<EndpointRow> {
  return trx.insertInto('webhookEndpoints').values(endpoint).returningAll().executeTakeFirstOrThrow();
}

export async function listEndpoints(db: Database | Trx, userId: number): Promise<EndpointRow[]> {
  return db.selectFrom('webhookEndpoints').selectAll().where('userId', '=', userId).orderBy('id').execute();
}

export async function findEndpoint(
  db: Database,
  userId: number,
  id: number,
): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns undefined where the person has no such address */
export async function updateEndpoint(
  db: Database | Trx,
  { userId, id }: { userId: number; id: number },
  change: Partial<
    Pick<
      EndpointRow,
      'url' | 'events' | 'disabledAt' | 'failingSince' | 'secret' | 'oldSecret' | 'oldSecretUntil'
    >
  >,
): Promise<EndpointRow | undefined> {
  return db
    .updateTable('webhookEndpoints')
    .set(change)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the person had such an address. */
export async function deleteEndpoint(db: Database, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhookEndpoints')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteEndpointsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('webhookEndpoints').where('userId', '=', userId).execute();
}

/** Queues a test. */
export async function insertDelivery(
  db: Database,
  given: { endpointId: number; eventId: string; type: string; payload: object; at: Date },
): Promise<void> {
  const { at, payload, ...delivery } = given;
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, payload: JSON.stringify(payload), nextAt: at, createdAt: at })
    .execute();
}

const DELIVERIES: ListOrder = {
  name: 'deliveries',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

/** What was and will be sent to an address, the newest first. */
export async function listDeliveries(db: Database, endpointId: number, paging: Paging) {
  const page = openPage(paging, DELIVERIES, COUNT_CAP);
  const own = db.selectFrom('webhookDeliveries').where('endpointId', '=', endpointId);
  const shown = own
    .select([
      'id',
      'eventId',
      'type',
      'createdAt',
      'attempts',
      'deliveredAt',
      'nextAt',
      'lastStatus',
      'lastProblem',
    ])
    .select(sql<string>`payload::text`.as('body'))
    .$narrowType<{ lastProblem: DeliveryProblem | null }>();
  const rows = await page.select(shown).execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, own.select('id'), COUNT_CAP)) };
}

/** Has a delivery sent again as if for the first time, with all attempts. @returns false where there is none */
export async function restartDelivery(
  db: Database,
  { endpointId, id, at }: { endpointId: number; id: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookDeliveries')
    .set({ attempts: 0, deliveredAt: null, nextAt: at })
    .where('endpointId', '=', endpointId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A claimed delivery, with its address. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly endpointId: number;
  readonly userId: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly oldSecret: Buffer | null;
  readonly oldSecretUntil: Date | null;
  readonly eventId: string;
  readonly body: string;
  /** Including this one. */
  readonly attempts: number;
}

/**
 * Claims what is due, at most one of each address and none of an address that a process is sending to. Claiming counts as an
 * attempt; of what is due at the same time, each event shuffles the addresses anew. After `heldUntil` another process may claim it again, should this one die. Addresses that are off, of banned
 * people, and those for all of people who are admins no longer get nothing.
 */
export async function claimDue(
  db: Database,
  { now, heldUntil, limit }: { now: Date; heldUntil: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with free as (
      select endpoint.id from webhook_endpoints as endpoint join users as owner on owner.id = endpoint.user_id,
        lateral (
          select next_at as due_at, event_id from webhook_deliveries
          where endpoint_id = endpoint.id and next_at is not null order by next_at, id limit 1) as waiting
      where due_at <= ${now} and disabled_at is null and (busy_until is null or busy_until <= ${now})
        and owner.status <> 'banned' and owner.deleted_at is null and (owner.role = 'admin' or not is_for_all)
      -- The id of an event is random, so nobody can choose an address that is the first.
      order by due_at, md5(event_id || ' ' || endpoint.id)
      limit ${limit} for update of endpoint skip locked
    ), taken as (
      update webhook_endpoints as endpoint set busy_until = ${heldUntil}
      from free where endpoint.id = free.id and (busy_until is null or busy_until <= ${now})
      returning endpoint.*
    )
    update webhook_deliveries as delivery set attempts = delivery.attempts + 1, next_at = ${heldUntil}
    from taken, lateral (
      select id from webhook_deliveries where endpoint_id = taken.id and next_at <= ${now}
      order by next_at, id limit 1) as next
    -- Asked again of the row as it is by now: another process may have just sent it.
    where delivery.id = next.id and delivery.next_at <= ${now}
    returning delivery.id, delivery.endpoint_id, taken.user_id, taken.url, taken.secret, taken.old_secret,
      taken.old_secret_until, delivery.event_id, delivery.payload::text as body, delivery.attempts`.execute(
    db,
  );
  return rows;
}

interface Outcome {
  readonly at: Date;
  readonly status: number | null;
  readonly problem: DeliveryProblem | null;
  /** Null: it has arrived, or is given up. */
  readonly nextAt: Date | null;
  /** Until when the receiver wants nothing; null: it does not say. */
  readonly pausedUntil: Date | null;
}

/** Stores how an attempt went, and lets others use the address, after its pause. @returns since when the address has failed */
export async function endAttempt(
  trx: Trx,
  { id, endpointId }: ClaimedDelivery,
  { at, status, problem, nextAt, pausedUntil }: Outcome,
): Promise<Date | null> {
  await trx
    .updateTable('webhookDeliveries')
    .set({ lastStatus: status, lastProblem: problem, nextAt, deliveredAt: problem === null ? at : null })
    .where('id', '=', id)
    .execute();
  const endpoint = await trx
    .updateTable('webhookEndpoints')
    .set((where) => ({
      busyUntil: pausedUntil,
      failingSince:
        problem === null ? null : where.fn.coalesce('failingSince', sql<Date>`${at}::timestamptz`),
    }))
    .where('id', '=', endpointId)
    .returning('failingSince')
    .executeTakeFirst();
  return endpoint?.failingSince ?? null;
}

/** Ends the pause that a receiver has asked for; a process that is sending keeps the address. */
export async function endPause(db: Database | Trx, id: number, heldUntil: Date): Promise<void> {
  await db
    .updateTable('webhookEndpoints')
    .set({ busyUntil: null })
    .where('id', '=', id)
    .where('busyUntil', '>', heldUntil)
    .execute();
}

/** Switches an address off. @returns false where it is off already, or gone */
export async function disable(trx: Trx, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookEndpoints')
    .set({ disabledAt: at })
    .where('id', '=', id)
    .where('disabledAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteOld(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('webhookDeliveries').where('createdAt', '<', before).execute();
}
