import type { Adapter, DatabaseSession } from 'lucia';
import { addDays, type Clock } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** However often it is renewed, a session ends this many days after the sign-in (ASVS 7.3.2). */
const LIFETIME_DAYS = 180;

/**
 * lucia's door to the sessions table. Lucia's session id is the token; it is hashed here, at the border, so
 * that the database never holds anything that signs in.
 *
 * Lucia reads the time from Date.now, the product from its own clock. The adapter translates: `lag` is how
 * far lucia's clock runs ahead of ours, added to every instant going to lucia and taken off every one coming.
 */
export function createSessionAdapter(db: Database | Trx, clock: Clock): Adapter {
  const lag = Date.now() - clock().getTime();
  const toLucia = (instant: Date) => new Date(instant.getTime() + lag);
  const fromLucia = (instant: Date) => new Date(instant.getTime() - lag);

  return {
    async getSessionAndUser(token) {
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select(['users.id', 'users.username', 'users.role', 'users.status'])
        .select(['sessions.expiresAt', 'sessions.createdAt'])
        .where('sessions.id', '=', sha256(token))
        .executeTakeFirst();
      if (!row) return [null, null];
      const { id: userId, expiresAt, createdAt, ...attributes } = row;
      const session: DatabaseSession = { id: token, userId, expiresAt: toLucia(expiresAt), attributes: {} };
      // A session without a user is one that lucia deletes.
      const isOver = attributes.status === 'banned' || addDays(createdAt, LIFETIME_DAYS) <= clock();
      return [session, isOver ? null : { id: userId, attributes }];
    },

    async getUserSessions() {
      throw new Error('The sessions of a person are not listed: their tokens are not known');
    },

    async setSession(session) {
      await db
        .insertInto('sessions')
        .values({
          id: sha256(session.id),
          userId: session.userId,
          expiresAt: fromLucia(session.expiresAt),
          createdAt: clock(),
        })
        .execute();
    },

    async updateSessionExpiration(token, expiresAt) {
      await db
        .updateTable('sessions')
        .set({ expiresAt: fromLucia(expiresAt) })
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
            where('createdAt', '<=', addDays(clock(), -LIFETIME_DAYS)),
          ]),
        )
        .execute();
    },
  };
}
