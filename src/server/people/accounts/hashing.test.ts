import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { checkPassword } from './accounts.ts';

const test = setUpApp();

/** One password as keyboards and systems write it: composed, decomposed, and with full-width letters. */
const COMPOSED = 'Caf\u00e9-am-Fluss-9';
const DECOMPOSED = 'Cafe\u0301-am-Fluss-9';
const FULL_WIDTH = '\uff23\uff41\uff46\u00e9-am-Fluss-9';
const FORMS = [COMPOSED, DECOMPOSED, FULL_WIDTH];

async function register(fields: { username: string; password: string }) {
  const body = { email: `${fields.username}@example.org`, acceptTerms: true, isAdult: true, ...fields };
  const answer = await test.call(null, { method: 'POST', url: '/api/register', body });
  return { status: answer.statusCode, body: answer.json() };
}

async function signIn(username: string, password: string): Promise<number> {
  const body = { username, password };
  return (await test.call(null, { method: 'POST', url: '/api/login', body })).statusCode;
}

const storedHash = (username: string) =>
  test.ctx.db
    .selectFrom('users')
    .select('passwordHash')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();

describe('a password is the same in every Unicode form', () => {
  it.each([
    ['composed', COMPOSED],
    ['decomposed', DECOMPOSED],
    ['full-width', FULL_WIDTH],
  ])('when it was chosen in the %s form', async (form, password) => {
    const username = `chose-${form}`;
    expect((await register({ username, password })).status).toBe(201);
    for (const typed of FORMS) expect(await signIn(username, typed)).toBe(200);
    expect(await signIn(username, COMPOSED.replace('\u00e9', 'e'))).toBe(401);
  });

  it('when it is asked for again, and when it is changed', async () => {
    const person = await createUser(test.ctx);
    const change = async (currentPassword: string, newPassword: string, confirmPassword = newPassword) => {
      const body = { currentPassword, newPassword, confirmPassword };
      const answer = await test.call(person, { method: 'PUT', url: '/api/user/password', body });
      return answer.statusCode === 200 ? 'changed' : answer.json().issues?.[0]?.path;
    };
    const passwordHash = await hash(COMPOSED);
    await test.ctx.db.updateTable('users').set({ passwordHash }).where('id', '=', person.id).execute();
    await checkPassword(actingAs(test.ctx, person), DECOMPOSED, 'password');
    expect(await change(DECOMPOSED, FULL_WIDTH)).toBe('newPassword');
    expect(await change(FULL_WIDTH, `${DECOMPOSED}!`, `${COMPOSED}!`)).toBe('changed');
    expect(await signIn(person.username, `${FULL_WIDTH}!`)).toBe(200);
  });

  it('when its length is judged [decisions 5.1.2]', async () => {
    const short = `e\u0301e\u0301e\u0301e\u0301`;
    expect((await register({ username: 'short', password: short })).body.issues[0].path).toBe('password');
    const long = 'e\u0301'.repeat(128);
    expect((await register({ username: 'long', password: long })).status).toBe(201);
    expect(await signIn('long', long)).toBe(200);
    expect((await register({ username: 'longer', password: `${long}x` })).body.issues[0].path).toBe(
      'password',
    );
  });

  it.each(['\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff241', '\uff57ide-name'])(
    'when it is compared with common passwords and the own name: %s',
    async (password) => {
      const refused = await register({ username: 'wide-name', password });
      expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'password' }] } });
    },
  );
});

describe('a hash of a password as it came', () => {
  it.each([
    ['decomposed', DECOMPOSED],
    ['full-width', FULL_WIDTH],
  ])('goes on working for the %s form, and for every form after a sign-in', async (_, old) => {
    const { username, id } = await createUser(test.ctx);
    const passwordHash = await hash(old);
    await test.ctx.db.updateTable('users').set({ passwordHash }).where('id', '=', id).execute();
    expect(await signIn(username, COMPOSED)).toBe(401);
    expect(await signIn(username, old)).toBe(200);
    for (const form of FORMS) expect(await signIn(username, form)).toBe(200);
  });

  it('is not made again for a password in the usual form', async () => {
    const { username, id } = await createUser(test.ctx);
    const passwordHash = await hash(COMPOSED);
    await test.ctx.db.updateTable('users').set({ passwordHash }).where('id', '=', id).execute();
    for (const form of FORMS) expect(await signIn(username, form)).toBe(200);
    expect(await storedHash(username)).toEqual({ passwordHash });
  });
});
