import { describe, expect, it, vi } from 'vitest';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { inTransaction } from '#server/database/client.ts';
import { actingAs, createTestClock, createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import {
  confirmSession,
  countSessions,
  removeExpiredSessions,
  resolveSession,
  restartSession,
  sessionBegan,
  startSession,
} from './sessions.ts';

const MINUTE_MS = 60_000;

const database = setUpDatabase();

/** A person with one session and their own clock. */
async function signedIn() {
  const ctx = createTestContext(database, { clock: createTestClock() });
  const person = await createUser(ctx);
  const session = await startSession(ctx.db, ctx.clock, person.id);
  return { ctx, person, session };
}

function storedSession(token: string) {
  return database.db.selectFrom('sessions').selectAll().where('id', '=', sha256(token)).executeTakeFirst();
}

describe('starting', () => {
  it('stores only the hash of the token, which does not sign in [decisions 5.1.6]', async () => {
    const { person, session } = await signedIn();
    const rows = await database.db
      .selectFrom('sessions')
      .selectAll()
      .where('userId', '=', person.id)
      .execute();
    expect(rows.map((row) => row.id)).toEqual([sha256(session.token)]);
    expect(JSON.stringify(rows)).not.toContain(session.token);
    expect(
      await resolveSession({ db: database.db, clock: createTestClock() }, sha256(session.token)),
    ).toBeNull();
  });

  it('creates unique tokens of at least 128 bits', async () => {
    const { ctx, person } = await signedIn();
    const tokens: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      tokens.push((await startSession(ctx.db, ctx.clock, person.id)).token);
    }
    expect(new Set(tokens).size).toBe(20);
    // Base 32: five bits per character.
    for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{26,}$/);
  });

  it('joins the given transaction', async () => {
    const { ctx, person } = await signedIn();
    let token = '';
    const undone = ctx.db.transaction().execute(async (trx) => {
      token = (await startSession(trx, ctx.clock, person.id)).token;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await resolveSession(ctx, token)).toBeNull();
  });
});

describe('resolving', () => {
  it('returns the person with their current role and status', async () => {
    const { ctx, person, session } = await signedIn();
    expect(await resolveSession(ctx, session.token)).toEqual({
      actor: person,
      renewed: null,
      session: { isNewBrowser: false, confirmedAt: null },
    });
    await ctx.db
      .updateTable('users')
      .set({ role: 'moderator', status: 'suspended' })
      .where('id', '=', person.id)
      .execute();
    expect(await resolveSession(ctx, session.token)).toEqual({
      actor: { ...person, role: 'moderator', status: 'suspended' },
      renewed: null,
      session: { isNewBrowser: false, confirmedAt: null },
    });
  });

  it('tells when the session began, and when the second factor was given in it', async () => {
    const { ctx, session } = await signedIn();
    const began = ctx.clock();
    ctx.clock.advanceDays(1);
    await inTransaction(ctx.db, (trx) => confirmSession(trx, session.token, ctx.clock()));
    expect(await sessionBegan(ctx.db, session.token)).toEqual(began);
    expect(await sessionBegan(ctx.db, 'unknown')).toBeUndefined();
    expect((await resolveSession(ctx, session.token))?.session.confirmedAt).toEqual(ctx.clock());
  });

  it('makes one query, and a second one only to renew', async () => {
    const { ctx, session } = await signedIn();
    const queries = vi.spyOn(database.pool, 'connect');
    await resolveSession(ctx, session.token);
    expect(queries).toHaveBeenCalledTimes(1);
    ctx.clock.advanceDays(16);
    await resolveSession(ctx, session.token);
    expect(queries).toHaveBeenCalledTimes(3);
    queries.mockRestore();
  });

  it('returns null for unknown tokens', async () => {
    const { ctx } = await signedIn();
    for (const token of ['', 'x', 'a'.repeat(5_000), '\u0000']) {
      expect(await resolveSession(ctx, token)).toBeNull();
    }
  });

  it('does not renew a session in the first half of its thirty days', async () => {
    const { ctx, session } = await signedIn();
    ctx.clock.advanceDays(14.9);
    expect((await resolveSession(ctx, session.token))?.renewed).toBeNull();
    expect(Number((await storedSession(session.token))?.expiresAt)).toBeLessThan(
      session.expiresAt.getTime() + MINUTE_MS,
    );
  });

  it('renews a session in its second half for thirty days and keeps the token', async () => {
    const { ctx, session } = await signedIn();
    ctx.clock.advanceDays(15.1);
    const expiresAt = addDays(ctx.clock(), 30);
    expect((await resolveSession(ctx, session.token))?.renewed).toEqual({ token: session.token, expiresAt });
    const stored = await storedSession(session.token);
    expect(Math.abs(Number(stored?.expiresAt) - expiresAt.getTime())).toBeLessThan(MINUTE_MS);
    // The session outlives its previous expiry.
    ctx.clock.advanceDays(20);
    expect(await resolveSession(ctx, session.token)).not.toBeNull();
  });

  it('removes a session that was not used for thirty days', async () => {
    const { ctx, session } = await signedIn();
    ctx.clock.set(addDays(session.expiresAt, 0.01));
    expect(await resolveSession(ctx, session.token)).toBeNull();
    expect(await storedSession(session.token)).toBeUndefined();
  });

  it('ends a session after 180 days, even if it was renewed', async () => {
    const { ctx, session } = await signedIn();
    for (let day = 20; day < 180; day += 20) {
      ctx.clock.advanceDays(20);
      expect(await resolveSession(ctx, session.token), `on day ${day}`).not.toBeNull();
    }
    ctx.clock.advanceDays(20);
    expect(await resolveSession(ctx, session.token)).toBeNull();
    expect(await storedSession(session.token)).toBeUndefined();
  });

  it('knows nobody whose account is deleted', async () => {
    const { ctx, person, session } = await signedIn();
    await ctx.db.updateTable('users').set({ deletedAt: ctx.clock() }).where('id', '=', person.id).execute();
    expect(await resolveSession(ctx, session.token)).toBeNull();
  });

  it('a ban ends the sessions for good [spec/3 2.51]', async () => {
    const { ctx, person, session } = await signedIn();
    const setStatus = (status: string) =>
      ctx.db.updateTable('users').set({ status }).where('id', '=', person.id).execute();
    await setStatus('banned');
    expect(await resolveSession(ctx, session.token)).toBeNull();
    await setStatus('active');
    expect(await resolveSession(ctx, session.token)).toBeNull();
  });
});

describe('restarting', () => {
  it('gives the browser another token, which gets its pushes, and leaves other browsers alone', async () => {
    const { ctx, person, session } = await signedIn();
    const elsewhere = await startSession(ctx.db, ctx.clock, person.id);
    const push = { endpoint: 'https://push.example/1', auth: 'a'.repeat(22), p256dh: 'b'.repeat(87) };
    const sessionId = sha256(session.token);
    await ctx.db
      .insertInto('pushSubscriptions')
      .values({ ...push, userId: person.id, sessionId, createdAt: ctx.clock() })
      .execute();
    const restart = (token: string | null) =>
      inTransaction(ctx.db, (trx) => restartSession(trx, actingAs(ctx, person), token));
    const { token } = await restart(session.token);
    expect(await resolveSession(ctx, session.token)).toBeNull();
    for (const kept of [token, elsewhere.token]) expect(await resolveSession(ctx, kept)).not.toBeNull();
    const pushes = ctx.db.selectFrom('pushSubscriptions').select('sessionId');
    expect(await pushes.execute()).toEqual([{ sessionId: sha256(token) }]);
    await restart(null);
    expect(await countSessions(ctx.db, person.id, ctx.clock())).toBe(3);
  });
});

describe('ending', () => {
  it('removeExpiredSessions removes only expired sessions', async () => {
    const { ctx, person, session: old } = await signedIn();
    ctx.clock.advanceDays(29);
    const young = await startSession(ctx.db, ctx.clock, person.id);
    const renewedForAges = await startSession(ctx.db, ctx.clock, person.id);
    ctx.clock.advanceDays(2);
    await ctx.db
      .updateTable('sessions')
      .set({ createdAt: addDays(ctx.clock(), -180) })
      .where('id', '=', sha256(renewedForAges.token))
      .execute();
    await removeExpiredSessions(ctx);
    expect(await storedSession(old.token)).toBeUndefined();
    expect(await storedSession(renewedForAges.token)).toBeUndefined();
    expect(await storedSession(young.token)).toBeDefined();
  });
});
