import { sql } from 'kysely';
import type { Adapter, DatabaseSession } from 'lucia';
import { SESSION_MAX_DAYS } from '#contract/base/limits.ts';
import { addDays, type Clock } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { createPrepared } from '#server/database/prepared.ts';
import { TRUST } from './trust-sql.ts';

const sessionById = createPrepared('session', (db, { id }: { id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.username', 'users.role', 'users.status', 'users.deletedAt'])
    .select('users.createdAt as memberSince')
    .select(TRUST)
    .select(['sessions.expiresAt', 'sessions.createdAt', 'sessions.lastSeenAt', 'sessions.userAgent'])
    .select(['sessions.isNewBrowser', 'sessions.isDefence', 'sessions.confirmedAt'])
    .where('sessions.id', '=', id),
);

/**
 * Lucia's adapter for the sessions table. Lucia's session id is the token. The adapter hashes it, so that the database
 * never holds a token that signs in.
 *
 * Lucia reads the time from Date.now, the product from the database's clock: a machine whose clock is wrong must sign
 * nobody out (`tests/faults/chaos.test.ts`). The adapter translates: `lag` is how far Lucia's clock is ahead of ours. It is
 * added to every time that goes to Lucia and subtracted from every time that comes back.
 */
export function createSessionAdapter(db: Database | Trx, clock: Clock): Adapter {
  const lag = Date.now() - clock().getTime();
  const toLucia = (instant: Date) => new Date(instant.getTime() + lag);
  const fromLucia = (instant: Date) => new Date(instant.getTime() - lag);

  return {
    async getSessionAndUser(token) {
      const [row] = await sessionById(db, { id: sha256(token) });
      if (!row) return [null, null];
      const {
        id: userId,
        expiresAt,
        createdAt,
        deletedAt,
        lastSeenAt,
        userAgent,
        isNewBrowser,
        isDefence,
        confirmedAt,
        ...attributes
      } = row;
      const session: DatabaseSession = {
        id: token,
        userId,
        expiresAt: toLucia(expiresAt),
        attributes: { userAgent, lastSeenAt, isNewBrowser, isDefence, confirmedAt },
      };
      // Lucia deletes a session without a user.
      const isOver =
        // A banned person comes by the mailed link alone, and that session ends with the ban.
        (attributes.status === 'banned') !== isDefence ||
        deletedAt !== null ||
        addDays(createdAt, SESSION_MAX_DAYS) <= clock();
      return [session, isOver ? null : { id: userId, attributes }];
    },

    async getUserSessions() {
      throw new Error('lucia cannot list sessions: their tokens are not known. See listSessions');
    },

    async setSession(session) {
      await db
        .insertInto('sessions')
        .values({
          id: sha256(session.id),
          userId: session.userId,
          expiresAt: fromLucia(session.expiresAt),
          createdAt: clock(),
          ...session.attributes,
        })
        .execute();
    },

    async updateSessionExpiration(token, expiresAt) {
      await db
        .updateTable('sessions')
        .set({ expiresAt: fromLucia(expiresAt), lastSeenAt: clock() })
        .where('id', '=', sha256(token))
        .execute();
    },

    async deleteSession(token) {
      await db.deleteFrom('sessions').where('id', '=', sha256(token)).execute();
    },

    async deleteUserSessions(userId) {
      await db.deleteFrom('sessions').where('userId', '=', userId).execute();
    },

    async deleteExpiredSessions() {
      await db
        .deleteFrom('sessions')
        .where((where) =>
          where.or([
            where('expiresAt', '<=', clock()),
            where('createdAt', '<=', addDays(clock(), -SESSION_MAX_DAYS)),
          ]),
        )
        .execute();
    },
  };
}

/** Stores the last use of a session; of several simultaneous calls only the first one writes. */
export async function touchSession(db: Database, token: string, unlessSince: Date, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: at })
    .where('id', '=', sha256(token))
    .where('lastSeenAt', '<=', unlessSince)
    .execute();
}

export async function confirmSession(trx: Trx, token: string, at: Date): Promise<void> {
  await trx.updateTable('sessions').set({ confirmedAt: at }).where('id', '=', sha256(token)).execute();
}

/** Lets the browser of one session get its pushes by another one of the same person. */
export async function movePushes(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable('pushSubscriptions')
    .set({ sessionId: sha256(to) })
    .where('sessionId', '=', sha256(from))
    .execute();
}

export type SessionRow = Awaited<ReturnType<typeof listSessions>>[number];

function validSessions(db: Database | Trx, userId: number, at: Date) {
  return db
    .selectFrom('sessions')
    .where('userId', '=', userId)
    .where('expiresAt', '>', at)
    .where('createdAt', '>', addDays(at, -SESSION_MAX_DAYS));
}

/** When the session of a token began; undefined if there is none. */
export async function sessionBegan(db: Database | Trx, token: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('createdAt')
    .where('id', '=', sha256(token))
    .executeTakeFirst();
  return row?.createdAt;
}

export async function countSessions(db: Database | Trx, userId: number, at: Date): Promise<number> {
  const { count } = await validSessions(db, userId, at)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A person's valid sessions: first the current one (of `token`), then by last use. */
export async function listSessions(db: Database, userId: number, token: string, at: Date, limit: number) {
  return validSessions(db, userId, at)
    .select(['number', 'userAgent', 'createdAt', 'lastSeenAt'])
    .select((where) => where('id', '=', sha256(token)).as('isCurrent'))
    .orderBy('isCurrent', 'desc')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .$narrowType<{ isCurrent: boolean }>()
    .execute();
}

/** @returns undefined if the person has no such session; `isCurrent` tells whether it was that of `token` */
export async function deleteSessionByNumber(
  trx: Trx,
  userId: number,
  number: number,
  token: string,
): Promise<{ isCurrent: boolean } | undefined> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('number', '=', number)
    .returning('id')
    .executeTakeFirst();
  return ended && { isCurrent: ended.id === sha256(token) };
}

/** Ends a person's sessions except that of `token`. @returns how many */
export async function deleteOtherSessions(
  trx: Database | Trx,
  userId: number,
  token: string,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '<>', sha256(token))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export interface NewSignIn {
  readonly userId: number;
  readonly userAgent: string;
  readonly isNewBrowser: boolean;
  readonly networkHash: string | null;
  readonly createdAt: Date;
}

export async function insertSignIn(trx: Trx, signIn: NewSignIn): Promise<void> {
  await trx.insertInto('signIns').values(signIn).execute();
}

/** Notes that other accounts were used in this person's browser: they may be one person. */
export async function noteSharedBrowser(trx: Trx, userId: number, others: readonly number[]): Promise<void> {
  await sql`
    insert into uncounted_pairs (lower_id, higher_id)
    select least(id, ${userId}::integer), greatest(id, ${userId}::integer)
    from users where id = any(${[...others]}::integer[]) order by 1, 2
    on conflict do nothing`.execute(trx);
}

/** The newest first. */
export async function listSignIns(db: Database, userId: number, limit: number) {
  return db
    .selectFrom('signIns')
    .select(['id', 'userAgent', 'isNewBrowser', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function deleteSignInsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('signIns').where('userId', '=', userId).execute();
}

export async function deleteSignInsBefore(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('signIns').where('createdAt', '<', at).execute();
}
