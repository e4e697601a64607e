import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { AppError } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { actingAs, createTestContext, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import {
  anonymisePerson,
  checkPassword,
  demoPeople,
  findByUsername,
  findPersonStatus,
  markDemo,
  setRole,
  setStatusOf,
} from './accounts.ts';

const database = setUpDatabase();

function historyOf(userId: number) {
  return database.db
    .selectFrom('transactionLogs')
    .select(['action', 'details', 'actorId', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

describe('checkPassword', () => {
  it('accepts the right password; for a wrong one the error names the field', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx);
    await checkPassword(actingAs(ctx, person), TEST_PASSWORD, 'confirmPassword');
    for (const field of ['confirmPassword', 'currentPassword']) {
      await expect(checkPassword(actingAs(ctx, person), 'wrong password', field)).rejects.toMatchObject({
        code: 'bad_input',
        issues: [{ path: field, message: 'This is not your current password' }],
      });
    }
  });

  it('refuses after ten wrong passwords in fifteen minutes from one network; a right one resets the count', async () => {
    const quiet = createTestContext(database);
    const ctx = { ...quiet, limiter: createRateLimiter(database.pool) };
    const member = actingAs(ctx, await createUser(ctx));
    const wrong = () =>
      checkPassword(member, 'wrong password', 'confirmPassword').catch((error: AppError) => error.code);
    const guess = async (times: number) => {
      const answers: unknown[] = [];
      for (let round = 0; round < times; round += 1) answers.push(await wrong());
      return answers;
    };
    expect(await guess(9)).not.toContain('rate_limited');
    await checkPassword(member, TEST_PASSWORD, 'confirmPassword');
    expect(await guess(10)).not.toContain('rate_limited');
    await expect(checkPassword(member, TEST_PASSWORD, 'confirmPassword')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: expect.any(Number),
    });
    await checkPassword({ ...member, ip: '203.0.113.5' }, TEST_PASSWORD, 'confirmPassword');
  });

  it('refuses after a hundred wrong passwords in an hour from everywhere', async () => {
    const ctx = { ...createTestContext(database), limiter: createRateLimiter(database.pool) };
    const member = actingAs(ctx, await createUser(ctx));
    const from = (ip: string) =>
      checkPassword({ ...member, ip }, 'wrong password', 'password').catch((error: AppError) => error.code);
    const answers: unknown[] = [];
    for (let round = 0; round < 101; round += 1) answers.push(await from(`203.0.113.${round}`));
    expect(answers).toEqual([...Array(100).fill('bad_input'), 'rate_limited']);
  });
});

describe('for moderation', () => {
  it('deleting an account keeps its row, overwrites the personal data and removes all sessions and tokens [spec/3 2.64]', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx, {
      username: 'Vanishing',
      bio: 'Collects spoons',
      role: 'admin',
      pendingEmail: 'spoons@example.org',
      country: 'JP',
    });
    const { token } = await startSession(ctx.db, ctx.clock, person.id, 'Spoon browser');
    await ctx.db
      .insertInto('notificationPreferences')
      .values({ userId: person.id, type: 'message', inApp: true, mail: false })
      .execute();
    await ctx.db
      .insertInto('accountTokens')
      .values({
        userId: person.id,
        purpose: 'verify_email',
        tokenHash: 'a'.repeat(64),
        email: 'spoons@example.org',
        expiresAt: ctx.clock(),
        createdAt: ctx.clock(),
      })
      .execute();
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, person.id));

    expect(await findPersonStatus(ctx.db, person.id)).toEqual({
      id: person.id,
      username: `deleted-${person.id}`,
      role: 'user',
      status: 'active',
      isDeleted: true,
    });
    expect(await resolveSession(ctx, token)).toBeNull();
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(ctx.db);
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`
        select t::text as text from ${sql.table(name)} as t`.execute(ctx.db);
      expect(rows.map(({ text }) => text).join('\n'), name).not.toMatch(/vanishing|spoon|Japan/i);
    }
    const tokens = await ctx.db
      .selectFrom('accountTokens')
      .select('id')
      .where('userId', '=', person.id)
      .execute();
    expect(tokens).toEqual([]);
    // A deleted account cannot be deleted again or change status.
    const change = { userId: person.id, reason: null, until: null, at: ctx.clock() };
    await expect(inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, person.id))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      inTransaction(ctx.db, (trx) => setStatusOf(trx, { ...change, status: 'banned' })),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('for scripts', () => {
  it('demoPeople lists six active demo people, those with the most exchanges first', async () => {
    const ctx = createTestContext(database);
    const people = [];
    for (let number = 1; number <= 8; number += 1) {
      people.push(await createUser(ctx, { username: `demo${number}`, successfulExchanges: number }));
    }
    const banned = await createUser(ctx, { status: 'banned', successfulExchanges: 99 });
    await createUser(ctx, { successfulExchanges: 99 });
    for (const person of [...people, banned]) await markDemo(ctx, person.id);
    const offered = await demoPeople(ctx);
    expect(offered.map((person) => person.username)).toEqual([
      'demo8',
      'demo7',
      'demo6',
      'demo5',
      'demo4',
      'demo3',
    ]);
    expect(Object.keys(offered[0] ?? {})).toEqual(['username', 'bio', 'profileImageUrl']);
  });

  it('setRole sets a role and records it in the history; an unknown name is not found', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx, { username: 'Promoted' });
    expect(await setRole(ctx, 'promoted', 'admin')).toMatchObject({ id: person.id, role: 'admin' });
    expect(await findByUsername(ctx, 'PROMOTED')).toMatchObject({ id: person.id, role: 'admin' });
    expect(await historyOf(person.id)).toEqual([
      { action: 'profile', details: 'Role changed to admin', actorId: null, createdAt: ctx.clock() },
    ]);
    expect(await findByUsername(ctx, 'promote')).toBeNull();
    await expect(setRole(ctx, 'promote', 'admin')).rejects.toMatchObject({ code: 'not_found' });
  });
});
