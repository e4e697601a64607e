import { Lucia, TimeSpan } from 'lucia';
import { type DeviceSession, userRoleSchema, userStatusSchema } from '#contract/accounts.ts';
import { addDays, type Clock, systemClock } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import type { Actor, MemberContext } from '../context.ts';
import { deviceName } from './device-name.ts';
import type { SessionRow } from './store.ts';
import * as store from './store.ts';

declare module 'lucia' {
  interface Register {
    UserId: number;
    Lucia: ReturnType<typeof createLucia>;
    DatabaseSessionAttributes: { userAgent: string; lastSeenAt: Date; isNewBrowser: boolean };
    DatabaseUserAttributes: { username: string; role: string; status: string };
  }
}

/** A session is given up after so many days without a visit; a visit in its second half renews it. */
const IDLE_DAYS = 30;

/** When a session was last used is known to so many minutes: a call that changes nothing need not write. */
const SEEN_MINUTES = 15;

/** More browsers than this nobody looks through; the rest can be ended together. */
const LISTED_AT_MOST = 100;

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
  return new Lucia(store.createSessionAdapter(db, clock), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    getSessionAttributes: ({ lastSeenAt }) => ({ lastSeenAt }),
    getUserAttributes: ({ username, role, status }) => ({
      username,
      role: userRoleSchema.parse(role),
      status: userStatusSchema.parse(status),
    }),
  });
}

/**
 * Who a token stands for, in one query; a second one renews a session that is past half its life, or writes down
 * that it is used, at most once in fifteen minutes.
 * @returns null when the token is unknown, has expired, or belongs to somebody banned or deleted; that session is
 *   then gone.
 *   `renewed` is what the browser must be told, if anything.
 */
export async function resolveSession(
  { db, clock }: SessionDeps,
  token: string,
): Promise<{ actor: Actor; renewed: SessionToken | null } | null> {
  const { session, user } = await createLucia(db, clock).validateSession(token);
  if (!session) return null;
  const now = clock();
  const unlessSince = new Date(now.getTime() - SEEN_MINUTES * 60_000);
  // Renewing writes it down as well.
  if (!session.fresh && session.lastSeenAt <= unlessSince)
    await store.touchSession(db, token, unlessSince, now);
  return { actor: user, renewed: session.fresh ? tokenFrom(token, clock) : null };
}

/** Signs somebody in. The token is new every time: one that a browser brought along is never taken over. */
export async function startSession(
  db: Database | Trx,
  clock: Clock,
  userId: number,
  userAgent = '',
  isNewBrowser = false,
): Promise<SessionToken> {
  const attributes = { userAgent, lastSeenAt: clock(), isNewBrowser };
  const session = await createLucia(db, clock).createSession(userId, attributes);
  return tokenFrom(session.id, clock);
}

/** Signs one browser out. An unknown token is no error. */
export async function endSession(db: Database | Trx, token: string): Promise<void> {
  await createLucia(db).invalidateSession(token);
}

/**
 * Signs the caller out everywhere and in again in the browser that asks, whose token is `token`: at a change of
 * password. Only other browsers have something to be told.
 */
export async function restartSessions(
  trx: Trx,
  ctx: MemberContext,
  token: string | null,
): Promise<SessionToken> {
  const ended = await store.deleteOtherSessions(trx, ctx.actor.id, token ?? '');
  if (ended > 0) await tellBrowsers(trx, ctx.actor.id);
  if (token) await endSession(trx, token);
  return startSession(trx, ctx.clock, ctx.actor.id, ctx.userAgent);
}

/** Signs a person out everywhere, and tells what they have open: at a ban, a change of password, the end of an account. */
export async function endSessionsOf(db: Database | Trx, userId: number): Promise<void> {
  await createLucia(db).invalidateUserSessions(userId);
  await tellBrowsers(db, userId);
}

/** The browsers in which the caller is signed in: the one that asks first, then the latest seen. */
export async function listSessions(ctx: MemberContext, token: string | null): Promise<DeviceSession[]> {
  const rows = await store.listSessions(ctx.db, ctx.actor.id, token ?? '', ctx.clock(), LISTED_AT_MOST);
  return rows.map(toDeviceSession);
}

/**
 * Signs the caller out in one of their browsers, which hears of it at once. `token` is that of the browser that asks.
 * @returns whether it was the one that asks
 * @throws AppError not_found for what is not a session of the caller's
 */
export async function endOneSession(
  ctx: MemberContext,
  id: number,
  token: string | null,
): Promise<{ isCurrent: boolean }> {
  return inTransaction(ctx.db, async (trx) => {
    const ended = await store.deleteSessionByNumber(trx, ctx.actor.id, id, token ?? '');
    if (!ended) throw notFound('Session');
    await tellBrowsers(trx, ctx.actor.id);
    return ended;
  });
}

/** Signs the caller out everywhere but in the browser that asks. */
export async function endOtherSessions(ctx: MemberContext, token: string | null): Promise<{ ended: number }> {
  return inTransaction(ctx.db, async (trx) => {
    const ended = await store.deleteOtherSessions(trx, ctx.actor.id, token ?? '');
    if (ended > 0) await tellBrowsers(trx, ctx.actor.id);
    return { ended };
  });
}

/** Tells what a person has open that their sessions have changed. */
function tellBrowsers(trx: Database | Trx, userId: number): Promise<void> {
  return announce(trx, [{ userId, event: { kind: 'account' } }]);
}

/** Removes what has expired and was never asked for again; a job calls it. */
export async function removeExpiredSessions({ db, clock }: SessionDeps): Promise<void> {
  await createLucia(db, clock).deleteExpiredSessions();
}

/** Counted from our clock: lucia's own answer is in lucia's time (see the adapter). */
function tokenFrom(token: string, clock: Clock): SessionToken {
  return { token, expiresAt: addDays(clock(), IDLE_DAYS) };
}

/** A session as its owner sees it: neither its token nor the hash of it. */
function toDeviceSession(row: SessionRow): DeviceSession {
  return {
    id: row.number,
    isCurrent: row.isCurrent,
    device: deviceName(row.userAgent),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}
