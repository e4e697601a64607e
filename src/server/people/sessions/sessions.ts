import { t } from '@lingui/core/macro';
import { Lucia, TimeSpan } from 'lucia';
import { SESSION_IDLE_DAYS } from '#contract/base/limits.ts';
import { type DeviceSession, userRoleSchema, userStatusSchema } from '#contract/people/accounts.ts';
import type { Actor, MemberContext, SessionFacts } from '#server/context/context.ts';
import { addDays, type Clock, systemClock } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { deviceName } from './device-name.ts';
import type { SessionRow } from './store.ts';
import * as store from './store.ts';

declare module 'lucia' {
  interface Register {
    UserId: number;
    Lucia: ReturnType<typeof createLucia>;
    DatabaseSessionAttributes: {
      userAgent: string;
      lastSeenAt: Date;
      isNewBrowser: boolean;
      isDefence: boolean;
      confirmedAt: Date | null;
    };
    DatabaseUserAttributes: {
      username: string;
      role: string;
      status: string;
      memberSince: Date;
      isConfirmed: boolean;
      isEstablished: boolean;
    };
  }
}

/** The last use of a session is stored at most once in this many minutes, so that most calls need not write. */
const SEEN_MINUTES = 15;

/** More sessions are not listed; they can still be ended together. */
const LISTED_AT_MOST = 100;

interface SessionDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** A session's token (200 random bits) and its expiry. */
export interface SessionToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** A Lucia per call: it holds only the executor, which may be a transaction. Ending a session needs no clock. */
function createLucia(db: Database | Trx, clock: Clock = systemClock) {
  return new Lucia(store.createSessionAdapter(db, clock), {
    sessionExpiresIn: new TimeSpan(SESSION_IDLE_DAYS, 'd'),
    getSessionAttributes: ({ lastSeenAt, isNewBrowser, confirmedAt }) => ({
      lastSeenAt,
      isNewBrowser,
      confirmedAt,
    }),
    getUserAttributes: ({ username, role, status, memberSince, isConfirmed, isEstablished }) => ({
      username,
      memberSince,
      isConfirmed,
      isEstablished,
      role: userRoleSchema.parse(role),
      status: userStatusSchema.parse(status),
    }),
  });
}

/**
 * Finds who a token belongs to, in one query. A second query renews a session in its second half, or stores its last
 * use, at most once in fifteen minutes.
 * @returns null if the token is unknown or expired, or its person is deleted, or banned and did not come by their mailed
 *   link; that session is then deleted.
 *   `renewed` is the new expiry to send to the browser, if it changed.
 */
export async function resolveSession(
  { db, clock }: SessionDeps,
  token: string,
): Promise<{ actor: Actor; renewed: SessionToken | null; session: SessionFacts } | null> {
  const { session, user } = await createLucia(db, clock).validateSession(token);
  if (!session) return null;
  const now = clock();
  const unlessSince = new Date(now.getTime() - SEEN_MINUTES * 60_000);
  // Renewing stores the last use, too.
  if (!session.fresh && session.lastSeenAt <= unlessSince)
    await store.touchSession(db, token, unlessSince, now);
  const { isNewBrowser, confirmedAt } = session;
  return {
    actor: user,
    renewed: session.fresh ? tokenFrom(token, clock) : null,
    session: { isNewBrowser, confirmedAt },
  };
}

/**
 * Signs a person in. The token is always new: a token sent by the browser is never adopted.
 * @param isDefence of a banned person, by their mailed link
 */
export async function startSession(
  db: Database | Trx,
  clock: Clock,
  userId: number,
  userAgent = '',
  isNewBrowser = false,
  isDefence = false,
): Promise<SessionToken> {
  const attributes = { userAgent, lastSeenAt: clock(), isNewBrowser, isDefence, confirmedAt: null };
  const session = await createLucia(db, clock).createSession(userId, attributes);
  return tokenFrom(session.id, clock);
}

/** Stores that the second factor was given in a session. */
export const confirmSession = store.confirmSession;

/** Signs one browser out. Ignores unknown tokens. */
export async function endSession(db: Database | Trx, token: string): Promise<void> {
  await createLucia(db).invalidateSession(token);
}

/**
 * Replaces the session of the browser that asks, which is `token`; used when the password changes. The browser still gets
 * its pushes.
 */
export async function restartSession(
  trx: Trx,
  ctx: MemberContext,
  token: string | null,
): Promise<SessionToken> {
  const started = await startSession(trx, ctx.clock, ctx.actor.id, ctx.userAgent, ctx.session?.isNewBrowser);
  if (token) {
    await store.movePushes(trx, token, started.token);
    await endSession(trx, token);
  }
  return started;
}

/**
 * Signs a person out everywhere, and notifies their open browsers if there were sessions.
 * @param except the token of a session to keep
 * @returns how many sessions ended
 */
export async function endSessionsOf(
  db: Database | Trx,
  userId: number,
  except: string | null = null,
): Promise<number> {
  const ended = await store.deleteOtherSessions(db, userId, except ?? '');
  if (ended > 0) await tellBrowsers(db, userId);
  return ended;
}

export const countSessions = store.countSessions;

export const sessionBegan = store.sessionBegan;

/** The caller's sessions: the one that asks first, then the most recently used. */
export async function listSessions(ctx: MemberContext, token: string | null): Promise<DeviceSession[]> {
  const rows = await store.listSessions(ctx.db, ctx.actor.id, token ?? '', ctx.clock(), LISTED_AT_MOST);
  return rows.map(toDeviceSession);
}

/**
 * Ends one of the caller's sessions and notifies their open browsers. `token` is the session that asks.
 * @returns whether it was the session that asks
 * @throws AppError not_found if the caller has no such session
 */
export async function endOneSession(
  ctx: MemberContext,
  id: number,
  token: string | null,
): Promise<{ isCurrent: boolean }> {
  return inTransaction(ctx.db, async (trx) => {
    const ended = await store.deleteSessionByNumber(trx, ctx.actor.id, id, token ?? '');
    if (!ended) throw notFound(t`Session not found`);
    await tellBrowsers(trx, ctx.actor.id);
    return ended;
  });
}

/** Ends all the caller's sessions except the one that asks. */
export async function endOtherSessions(ctx: MemberContext, token: string | null): Promise<{ ended: number }> {
  return inTransaction(ctx.db, async (trx) => ({ ended: await endSessionsOf(trx, ctx.actor.id, token) }));
}

/** Notifies a person's open browsers that their sessions have changed. */
function tellBrowsers(trx: Database | Trx, userId: number): Promise<void> {
  return announce(trx, [{ userId, event: { kind: 'account' } }]);
}

/** Removes expired sessions; called by a job. */
export async function removeExpiredSessions({ db, clock }: SessionDeps): Promise<void> {
  await createLucia(db, clock).deleteExpiredSessions();
}

/** Uses our clock: Lucia's own expiry is in Lucia's time (see the adapter). */
function tokenFrom(token: string, clock: Clock): SessionToken {
  return { token, expiresAt: addDays(clock(), SESSION_IDLE_DAYS) };
}

/** A session as its owner sees it, without the token or its hash. */
function toDeviceSession(row: SessionRow): DeviceSession {
  return {
    id: row.number,
    isCurrent: row.isCurrent,
    device: deviceName(row.userAgent),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}
