import { Lucia, TimeSpan } from 'lucia';
import { userRoleSchema, userStatusSchema } from '#contract/accounts.ts';
import { addDays, type Clock, systemClock } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Actor } from '../context.ts';
import { createSessionAdapter } from './store.ts';

declare module 'lucia' {
  interface Register {
    UserId: number;
    Lucia: ReturnType<typeof createLucia>;
    DatabaseUserAttributes: { username: string; role: string; status: string };
  }
}

/** A session is given up after so many days without a visit; a visit in its second half renews it. */
const IDLE_DAYS = 30;

interface SessionDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** What a browser keeps of a session: 200 random bits, and until when they count. */
export interface SessionToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** A lucia per call: it holds nothing but the executor, which may be a transaction. Ending asks no clock. */
function createLucia(db: Database | Trx, clock: Clock = systemClock) {
  return new Lucia(createSessionAdapter(db, clock), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    getUserAttributes: ({ username, role, status }) => ({
      username,
      role: userRoleSchema.parse(role),
      status: userStatusSchema.parse(status),
    }),
  });
}

/**
 * Who a token stands for, in one query; a second one renews a session that is past half its life.
 * @returns null when the token is unknown, has expired, or belongs to somebody banned; that session is then gone.
 *   `renewed` is what the browser must be told, if anything.
 */
export async function resolveSession(
  { db, clock }: SessionDeps,
  token: string,
): Promise<{ actor: Actor; renewed: SessionToken | null } | null> {
  const { session, user } = await createLucia(db, clock).validateSession(token);
  if (!session) return null;
  return { actor: user, renewed: session.fresh ? tokenFrom(token, clock) : null };
}

/** Signs somebody in. The token is new every time: one that a browser brought along is never taken over. */
export async function startSession(db: Database | Trx, clock: Clock, userId: number): Promise<SessionToken> {
  const session = await createLucia(db, clock).createSession(userId, {});
  return tokenFrom(session.id, clock);
}

/** Signs one browser out. An unknown token is no error. */
export async function endSession(db: Database | Trx, token: string): Promise<void> {
  await createLucia(db).invalidateSession(token);
}

/** Signs a person out everywhere: at a ban, a change of password, the end of an account. */
export async function endSessionsOf(db: Database | Trx, userId: number): Promise<void> {
  await createLucia(db).invalidateUserSessions(userId);
}

/** Removes what has expired and was never asked for again; a job calls it. */
export async function removeExpiredSessions({ db, clock }: SessionDeps): Promise<void> {
  await createLucia(db, clock).deleteExpiredSessions();
}

/** Counted from our clock: lucia's own answer is in lucia's time (see the adapter). */
function tokenFrom(token: string, clock: Clock): SessionToken {
  return { token, expiresAt: addDays(clock(), IDLE_DAYS) };
}
