import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { registerInputSchema, sessionUserSchema } from '#contract/people/accounts.ts';
import { inTransaction } from '#server/database/client.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { createTestContext, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { anonymisePerson } from './accounts.ts';
import { login, logout, register } from './signing-in.ts';

const database = setUpDatabase();

const PASSWORD = 'a meadow after rain';
/** OWASP's recommended cost, as a stored hash states it. */
const COST = '$argon2id$v=19$m=19456,t=2,p=1$';

/** A form's input, parsed by the contract's schema. */
function form(username: string, fields: Record<string, unknown> = {}) {
  return registerInputSchema.parse({
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
    acceptTerms: true,
    isAdult: true,
    ...fields,
  });
}

function storedPerson(id: number) {
  return database.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function historyOf(userId: number) {
  return database.db
    .selectFrom('transactionLogs')
    .select(['action', 'details', 'actorId', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

describe('register', () => {
  it('stores an Argon2id hash and the time of consent, and signs the person in [spec/1 7.3]', async () => {
    const ctx = createTestContext(database);
    const { user, session } = await register(ctx, form('Ada.L', { bio: 'Likes bread' }), null);
    expect(user).toMatchObject({
      username: 'Ada.L',
      email: 'Ada.L@example.org',
      role: 'user',
      status: 'active',
      preferredCurrency: 'CAD',
      country: 'CA',
      bio: 'Likes bread',
    });
    const stored = await storedPerson(user.id);
    expect(stored.passwordHash.startsWith(COST)).toBe(true);
    expect(await verify(stored.passwordHash, PASSWORD)).toBe(true);
    expect(stored).toMatchObject({ termsAcceptedAt: ctx.clock(), adultConfirmedAt: ctx.clock() });
    expect((await resolveSession(ctx, session.token))?.actor.id).toBe(user.id);
    expect(await historyOf(user.id)).toEqual([
      { action: 'signup', details: 'Joined ClipSwap', actorId: user.id, createdAt: ctx.clock() },
    ]);
  });

  it('answers exactly the fields of the contract [spec/1 3.26]', async () => {
    const { user } = await register(createTestContext(database), form('strict'), null);
    expect(sessionUserSchema.strict().safeParse(user).error).toBeUndefined();
    expect(JSON.stringify(user)).not.toContain('argon2');
  });

  it('refuses a username that is taken, ignoring case [spec/1 3.1]', async () => {
    const ctx = createTestContext(database);
    await register(ctx, form('Taken'), null);
    await expect(register(ctx, form('tAKEN', { email: 'new@example.org' }), null)).rejects.toMatchObject({
      code: 'username_taken',
      issues: [{ path: 'username', message: TEXTS.accounts.usernameTaken() }],
    });
  });

  it.each(['password1', 'PASSWORD1', 'iloveyou', 'Qwertyuiop'])(
    'refuses the common password %s',
    async (password) => {
      const refused = register(createTestContext(database), form('careless', { password }), null);
      await expect(refused).rejects.toMatchObject({
        code: 'bad_input',
        issues: [{ path: 'password', message: TEXTS.accounts.commonPassword() }],
      });
    },
  );

  it.each(['long-username', 'LONG-username', 'long-username@example.org'])(
    'refuses %s as the password of long-username [spec/1 5.2]',
    async (password) => {
      const refused = register(createTestContext(database), form('long-username', { password }), null);
      await expect(refused).rejects.toMatchObject({ code: 'bad_input', issues: [{ path: 'password' }] });
    },
  );

  it.each(['deleted-7', 'DELETED-somebody', 'de1eted_7'])(
    'reserves the name %s for deleted accounts',
    async (username) => {
      await expect(register(createTestContext(database), form(username), null)).rejects.toMatchObject({
        code: 'username_taken',
        issues: [{ path: 'username', message: TEXTS.accounts.usernameTaken() }],
      });
    },
  );

  it.each([
    ['maple_mia', 'maple.mia'],
    ['modern', 'rnodern'],
    ['will', 'VVi1l'],
    ['bob0', 'bob-o'],
  ])('refuses a name that looks like another: beside %s no %s', async (username, alike) => {
    const ctx = createTestContext(database);
    const taken = { code: 'username_taken', issues: [{ path: 'username' }] };
    const { user } = await register(ctx, form(username), null);
    await expect(register(ctx, form(alike), null)).rejects.toMatchObject(taken);
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, user.id));
    await expect(register(ctx, form(alike), null)).rejects.toMatchObject(taken);
  });

  it('deletes an account whose name somebody else’s looked like before that was refused', async () => {
    const ctx = createTestContext(database);
    const first = await register(ctx, form('early.bird'), null);
    const second = await createUser(ctx, { username: 'early_bird' });
    for (const { id } of [second, first.user])
      await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, id));
    await expect(register(ctx, form('early-bird'), null)).rejects.toMatchObject({ code: 'username_taken' });
  });

  it('refuses a name that looks official', async () => {
    await expect(register(createTestContext(database), form('CIipSwap-Support'), null)).rejects.toMatchObject(
      {
        code: 'bad_input',
        issues: [{ path: 'username', message: 'This name looks official. Choose another.' }],
      },
    );
  });

  it('refuses the username of a deleted account', async () => {
    const ctx = createTestContext(database);
    const { user } = await register(ctx, form('leaver', { email: 'Leaver@example.org' }), null);
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, user.id));
    const again = form('LEAVER', { email: 'another@example.org' });
    await expect(register(ctx, again, null)).rejects.toMatchObject({ code: 'username_taken' });
    // A refused registration reserves nothing.
    await register(ctx, form('another', { email: 'another@example.org' }), null);
  });

  it('refuses the username of an account that is being deleted at the same time', async () => {
    const ctx = createTestContext(database);
    for (let round = 0; round < 20; round += 1) {
      const taken = `going-${round}`;
      const { user } = await register(ctx, form(taken, { email: `${taken}@example.org` }), null);
      const deletion = () => inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, user.id));
      const newcomer = () => register(ctx, form(taken, { email: `newcomer-${round}@example.org` }), null);
      const [deleted, registered] = await Promise.allSettled([deletion(), newcomer()]);
      expect(deleted.status).toBe('fulfilled');
      expect(registered).toMatchObject({
        status: 'rejected',
        reason: { code: 'username_taken' },
      });
    }
  });

  it('when two people register one username at once, exactly one gets it', async () => {
    const ctx = createTestContext(database);
    for (let round = 0; round < 50; round += 1) {
      const results = await Promise.allSettled([
        register(ctx, form(`racer${round}`, { email: `left${round}@example.org` }), null),
        register(ctx, form(`RACER${round}`, { email: `right${round}@example.org` }), null),
      ]);
      const losers = results.filter((result) => result.status === 'rejected');
      expect(losers.map((loser) => loser.reason.code)).toEqual(['username_taken']);
    }
    const { count } = await database.db
      .selectFrom('users')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('username', 'ilike', 'racer%')
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(50);
  });
});

describe('login', () => {
  it('accepts the username or e-mail address in any case, and records the sign-in [spec/1 3.18 7.2]', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx, { username: 'Grace', email: 'grace.h@example.org' });
    ctx.clock.advanceDays(1);
    for (const username of ['Grace', 'gRACE', 'GRACE.H@example.org']) {
      const { user, session } = await login(ctx, { username, password: TEST_PASSWORD }, null);
      expect(user).toMatchObject({ id: person.id, lastLoginAt: ctx.clock().toISOString() });
      expect((await resolveSession(ctx, session.token))?.actor).toEqual(person);
    }
    const line = { action: 'login', details: 'Signed in', actorId: person.id, createdAt: ctx.clock() };
    expect(await historyOf(person.id)).toEqual([line, line, line]);
  });

  it("issues a new token and ends the browser's previous session [decisions 5.1.6]", async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx);
    const input = { username: person.username, password: TEST_PASSWORD };
    const first = await login(ctx, input, null);
    const elsewhere = await login(ctx, input, null);
    const second = await login(ctx, input, first.session.token);
    expect(second.session.token).not.toBe(first.session.token);
    expect(await resolveSession(ctx, first.session.token)).toBeNull();
    expect(await resolveSession(ctx, elsewhere.session.token)).not.toBeNull();
  });

  it('never adopts a token that the browser sent', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx);
    const input = { username: person.username, password: TEST_PASSWORD };
    const { session } = await login(ctx, input, 'planted');
    expect(session.token).not.toBe('planted');
    expect(await resolveSession(ctx, 'planted')).toBeNull();
  });

  it('mentions a ban, its reason and where to appeal only after the right password', async () => {
    const ctx = createTestContext(database);
    const { id, username } = await createUser(ctx, {
      status: 'banned',
      statusReason: 'Three people complained.',
    });
    await expect(login(ctx, { username, password: 'wrong' }, null)).rejects.toMatchObject({
      code: 'unauthorized',
      message: TEXTS.accounts.invalidLogin(),
    });
    await expect(login(ctx, { username, password: TEST_PASSWORD }, null)).rejects.toMatchObject({
      code: 'forbidden',
      message:
        'This account is banned. Reason: Three people complained. You can appeal within 30 days: write to help@clipswap.example.',
    });
    expect(await historyOf(id)).toEqual([]);
  });

  it('refuses a deleted account under its old and its new name', async () => {
    const ctx = createTestContext(database);
    const { id, username } = await createUser(ctx);
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, id));
    for (const name of [username, `${username}@example.org`, `deleted-${id}`]) {
      for (const password of [TEST_PASSWORD, 'x']) {
        await expect(login(ctx, { username: name, password }, null)).rejects.toMatchObject({
          code: 'unauthorized',
          message: TEXTS.accounts.invalidLogin(),
        });
      }
    }
  });

  it('lets suspended and warned people in [decisions 5.2.2]', async () => {
    const ctx = createTestContext(database);
    for (const status of ['suspended', 'warned'] as const) {
      const { username } = await createUser(ctx, { status });
      const { user } = await login(ctx, { username, password: TEST_PASSWORD }, null);
      expect(user.status).toBe(status);
    }
  });
});

describe('logout', () => {
  it('ends the session; does nothing without one [spec/1 7.4]', async () => {
    const ctx = createTestContext(database);
    const person = await createUser(ctx);
    const { token } = await startSession(ctx.db, ctx.clock, person.id);
    await logout(ctx, token);
    expect(await resolveSession(ctx, token)).toBeNull();
    await logout(ctx, null);
  });
});
