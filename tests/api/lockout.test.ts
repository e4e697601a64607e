import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createTestApp, setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { NEW_PASSWORD } from '#tests/support/mailed-links.ts';
import { openPasskeys } from '#tests/support/passkeys.ts';

/** Somebody guesses at an account, and its owner signs in all the same. */

const test = setUpApp({ withLimits: true });
let owner: Actor;
beforeEach(async () => {
  await test.database.db.deleteFrom('rateLimits').execute();
  owner = await createUser(test.ctx);
});

const DEVICE = 'clipswap-device';
const HOME = '192.0.2.50';

function signIn(
  given: { device?: string; password?: string; ip?: string; username?: string } = {},
): Promise<LightMyRequestResponse> {
  const { device, password = TEST_PASSWORD, ip = HOME, username = owner.username } = given;
  return test.call(null, {
    method: 'POST',
    url: '/api/login',
    body: { username, password },
    ip,
    headers: { ...(device && { cookie: `${DEVICE}=${device}` }) },
  });
}

const deviceFrom = (answer: LightMyRequestResponse) =>
  answer.cookies.find(({ name }) => name === DEVICE)?.value ?? '';

/** So many wrong passwords, from so many addresses, that browsers which the account does not know get no more tries. */
async function besiege(username = owner.username): Promise<void> {
  await signIn({ username, password: 'wrong password', ip: '198.51.100.1' });
  await test.database.db
    .updateTable('rateLimits')
    .set({ points: 100 })
    .where('key', 'like', 'login-account:%')
    .execute();
}

const guess = async (device: string) => (await signIn({ device, password: 'wrong password' })).statusCode;

it('somebody who is new to a browser signs in by passkey while others guess at the account, from everywhere or the same address', async () => {
  const { openBrowser, withPasskey, enter } = openPasskeys(test);
  const { person, authenticator } = await withPasskey();
  await besiege(person.username);
  for (let i = 0; i < 21; i += 1)
    await signIn({ username: person.username, password: 'wrong password', ip: '127.0.0.1' });
  expect((await signIn({ username: person.username, ip: '127.0.0.1' })).statusCode).toBe(429);
  expect((await enter(openBrowser(), authenticator)).status).toBe(200);
});

describe('a browser in which somebody has signed in', () => {
  it('signs in with the right password while others guess at the account', async () => {
    const device = deviceFrom(await signIn());
    await besiege();
    expect((await signIn({ ip: '192.0.2.99' })).statusCode).toBe(429);
    expect((await signIn({ device })).statusCode).toBe(200);
    expect((await signIn({ device, ip: '198.51.100.1' })).statusCode).toBe(200);
    // The owner's sign-in gives a guesser no new tries.
    expect((await signIn({ ip: '192.0.2.99' })).statusCode).toBe(429);
  });

  it('has ten wrong passwords of its own, and then those of every other browser', async () => {
    const device = deviceFrom(await signIn());
    await besiege();
    for (let i = 0; i < 10; i += 1) expect(await guess(device)).toBe(401);
    expect(await guess(device)).toBe(429);
    expect((await signIn({ device })).statusCode).toBe(429);
  });

  it('is known to every account that has signed in there', async () => {
    const first = deviceFrom(await signIn());
    const other = await createUser(test.ctx);
    const both = deviceFrom(await signIn({ device: first, username: other.username }));
    await besiege();
    expect((await signIn({ device: both })).statusCode).toBe(200);
    expect((await signIn({ device: both, username: other.username })).statusCode).toBe(200);
  });

  it.each([
    [
      'another account',
      async () => deviceFrom(await signIn({ username: (await createUser(test.ctx)).username })),
    ],
    ['nobody', async () => Buffer.alloc(150, 7).toString('base64url')],
    [
      'half a year ago',
      async () => {
        const device = deviceFrom(await signIn());
        test.ctx.clock.advanceDays(181);
        return device;
      },
    ],
    [
      'the time before a new password',
      async () => {
        const device = deviceFrom(await signIn());
        const body = {
          currentPassword: TEST_PASSWORD,
          newPassword: NEW_PASSWORD,
          confirmPassword: NEW_PASSWORD,
        };
        expect((await test.call(owner, { method: 'PUT', url: '/api/user/password', body })).statusCode).toBe(
          200,
        );
        return device;
      },
    ],
  ])('is not known by the cookie of %s', async (_whose, obtain) => {
    const device = await obtain();
    await besiege();
    for (const password of [TEST_PASSWORD, NEW_PASSWORD]) {
      expect((await signIn({ device, password })).statusCode).toBe(429);
    }
  });

  it('stays known when it changes the password', async () => {
    const body = { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const device = deviceFrom(await test.call(owner, { method: 'PUT', url: '/api/user/password', body }));
    await besiege();
    expect((await signIn({ device, password: NEW_PASSWORD })).statusCode).toBe(200);
  });

  it('is known from registration on', async () => {
    const username = 'newcomer-known';
    const body = {
      username,
      email: 'newcomer-known@example.org',
      password: NEW_PASSWORD,
      acceptTerms: true,
      isAdult: true,
    };
    const device = deviceFrom(await test.call(null, { method: 'POST', url: '/api/register', body }));
    await besiege(username);
    expect((await signIn({ username, password: NEW_PASSWORD })).statusCode).toBe(429);
    expect((await signIn({ username, password: NEW_PASSWORD, device })).statusCode).toBe(200);
  });
});

describe('the device cookie', () => {
  it.each([
    ['http://localhost', 'clipswap-device', undefined],
    ['https://clipswap.example', '__Host-clipswap-device', true],
  ])('at %s is %s, for our server alone and no session', async (publicUrl, name, secure) => {
    const site = await createTestApp({ config: { publicUrl } });
    const { username } = await createUser(site.ctx);
    const body = { username, password: TEST_PASSWORD };
    const answer = await site.call(null, { method: 'POST', url: '/api/login', body });
    const cookie = answer.cookies.find((one) => one.name === name);
    expect(cookie).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax', ...(secure && { secure }) });
    expect(cookie?.domain).toBeUndefined();
    const asked = await site.call(null, {
      method: 'GET',
      url: '/api/user',
      headers: { cookie: `${name}=${cookie?.value}` },
    });
    expect(asked.statusCode).toBe(401);
    await site.close();
  });
});
