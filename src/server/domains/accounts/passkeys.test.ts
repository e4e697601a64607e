import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { CHALLENGE_MINUTES, PASSKEYS_AT_MOST, passkeySchema } from '#contract/passkeys.ts';
import { TEXTS } from '#contract/texts.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { setUpApp } from '#server/testing/app.ts';
import { type Authenticator, createAuthenticator } from '#server/testing/authenticator.ts';
import { actingAs, createCoupon, createUser, TEST_PASSWORD } from '#server/testing/builders.ts';
import type { Actor } from '../context.ts';
import { removePastChallenges, startPasskeySignIn } from './passkey-checks.ts';
import { confirmSecondFactor } from './second-factor.ts';
import { anonymisePerson } from './service.ts';
import { loginWithPasskey } from './signing-in.ts';

const test = setUpApp();
/** The public URL of the test application. */
const ORIGIN = 'http://localhost';
const REFUSED = { status: 400, body: { code: 'bad_input', issues: [{ path: 'passkey' }] } };
const NOT_SIGNED_IN = { status: 401, body: { code: 'unauthorized', error: TEXTS.accounts.passkeyRefused } };

/** Somebody's browser: it keeps its cookies from call to call. */
function openBrowser() {
  const cookies: Record<string, string> = {};
  return {
    cookies,
    async call(procedure: string, input?: object) {
      const answer = await test.app.inject({
        method: 'POST',
        url: `/api/trpc/accounts.${procedure}`,
        cookies,
        ...(input !== undefined && { payload: input }),
      });
      for (const { name, value } of answer.cookies) cookies[name] = value;
      const { result, error } = answer.json();
      return { status: answer.statusCode, body: result?.data ?? error.data.wire };
    },
    async passkeys() {
      const answer = await test.app.inject({ method: 'GET', url: '/api/user/passkeys', cookies });
      return passkeySchema.array().parse(answer.json());
    },
  };
}

type TestBrowser = ReturnType<typeof openBrowser>;

/** A browser in which somebody has signed in by password. */
async function signedIn(person: Actor): Promise<TestBrowser> {
  const browser = openBrowser();
  const { status } = await browser.call('login', { username: person.username, password: TEST_PASSWORD });
  expect(status).toBe(200);
  return browser;
}

async function add(browser: TestBrowser, authenticator: Authenticator, name = 'Laptop') {
  const { status, body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
  expect(status).toBe(200);
  return browser.call('addPasskey', { name, passkey: authenticator.create(body) });
}

/** Somebody with a passkey, and the browser in which it was added. */
async function withPasskey(authenticator = createAuthenticator(ORIGIN)) {
  const person = await createUser(test.ctx);
  const browser = await signedIn(person);
  const { status, body } = await add(browser, authenticator);
  expect(status).toBe(200);
  return { person, browser, authenticator, passkey: body };
}

/** Signs in by passkey; `lie` replaces what the authenticator or its browser says. */
async function enter(
  browser: TestBrowser,
  authenticator: Authenticator,
  lie: Parameters<Authenticator['get']>[1] = {},
) {
  const { body } = await browser.call('startPasskeySignIn');
  return browser.call('loginWithPasskey', { passkey: authenticator.get(body, lie) });
}

/** One of the signed-in person's passkeys, given once more. */
async function proof(browser: TestBrowser, authenticator: Authenticator) {
  const { body } = await browser.call('startPasskeyCheck');
  return authenticator.get(body);
}

/** Turns the second factor on; returns what gives its next code. */
async function turnOn(browser: TestBrowser) {
  const { body } = await browser.call('startSecondFactor', { password: TEST_PASSWORD });
  const next = () => {
    test.ctx.clock.advanceDays(30 / 86_400);
    return generateSync({ secret: body.secret, epoch: test.ctx.clock().getTime() / 1_000 });
  };
  expect((await browser.call('enableSecondFactor', { code: next() })).status).toBe(200);
  return next;
}

function mailsTo({ id }: Actor, kind: string) {
  const mails = test.ctx.db.selectFrom('mailOutbox').select('body').where('userId', '=', id);
  return mails.where('kind', '=', kind).orderBy('id').execute();
}

const stranger = () => openBrowser();

describe('adding a passkey', () => {
  it('needs the password, asks for a verified user and a key that finds its person, and is told by mail', async () => {
    const person = await createUser(test.ctx);
    const browser = await signedIn(person);
    expect((await browser.call('startPasskey', { password: 'wrong' })).status).toBe(400);
    expect((await browser.call('startPasskey', {})).body.issues).toMatchObject([{ path: 'password' }]);
    const { body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
    expect(body).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(Buffer.from(body.user.id, 'base64url')).toHaveLength(32);
    await browser.call('addPasskey', { name: 'My phone', passkey: createAuthenticator(ORIGIN).create(body) });
    expect(await browser.passkeys()).toMatchObject([{ name: 'My phone', lastUsedAt: null }]);
    expect(await mailsTo(person, 'passkey')).toEqual([{ body: 'was added to your account: My phone' }]);
  });

  it('tells the browser which passkeys there are already, and refuses one that is known', async () => {
    const { browser, authenticator, passkey } = await withPasskey();
    const { body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
    const again = authenticator.create(body);
    expect(body.excludeCredentials).toMatchObject([{ id: again.id, transports: ['internal'] }]);
    expect((await browser.call('addPasskey', { name: 'Again', passkey: again })).status).toBe(409);
    expect(await browser.passkeys()).toEqual([passkey]);
  });

  it.each([
    ['of another origin', { origin: 'https://clipswap.evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without a verified user', { isVerified: false }],
    ['that was signed for something else', { type: 'webauthn.get' }],
    ['for a challenge that was never given', { challenge: Buffer.alloc(32).toString('base64url') }],
  ])('refuses one %s', async (_, lie) => {
    const browser = await signedIn(await createUser(test.ctx));
    const { body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
    const passkey = createAuthenticator(ORIGIN).create(body, lie);
    expect(await browser.call('addPasskey', { name: 'Laptop', passkey })).toMatchObject(REFUSED);
    expect(await browser.passkeys()).toEqual([]);
  });

  it('takes a challenge once, in time, and from the browser and person that asked for it', async () => {
    const { browser } = await withPasskey();
    const { body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
    const other = await signedIn(await createUser(test.ctx));
    const passkey = createAuthenticator(ORIGIN).create(body);
    await other.call('startPasskeySignIn');
    expect(await other.call('addPasskey', { name: 'Theirs', passkey })).toMatchObject(REFUSED);
    // Another browser of the same person is another browser.
    Object.assign(other.cookies, { clipswap: browser.cookies.clipswap });
    expect(await other.call('addPasskey', { name: 'Theirs', passkey })).toMatchObject(REFUSED);
    test.ctx.clock.advanceDays((CHALLENGE_MINUTES + 1) / (24 * 60));
    expect(await browser.call('addPasskey', { name: 'Late', passkey })).toMatchObject(REFUSED);
    expect(await browser.passkeys()).toHaveLength(1);
  });

  it('needs the second factor of who has one; a passkey alone does as well', async () => {
    const { browser, authenticator } = await withPasskey();
    const nextCode = await turnOn(browser);
    const byPassword = () => browser.call('startPasskey', { password: TEST_PASSWORD });
    expect((await byPassword()).body).toMatchObject({ code: 'second_factor_required' });
    const passkey = await proof(browser, authenticator);
    expect((await browser.call('startPasskey', { passkey })).status).toBe(200);
    expect(await browser.call('startPasskey', { passkey })).toMatchObject(REFUSED);
    await browser.call('confirmSecondFactor', { code: nextCode() });
    expect((await byPassword()).status).toBe(200);
  });

  it(`stops at ${PASSKEYS_AT_MOST}`, async () => {
    const { browser } = await withPasskey();
    const { body } = await browser.call('startPasskey', { password: TEST_PASSWORD });
    for (let count = 1; count < PASSKEYS_AT_MOST; count += 1)
      expect((await add(browser, createAuthenticator(ORIGIN))).status).toBe(200);
    expect((await browser.call('startPasskey', { password: TEST_PASSWORD })).status).toBe(409);
    const passkey = createAuthenticator(ORIGIN).create(body);
    expect((await browser.call('addPasskey', { name: 'One more', passkey })).status).toBe(409);
  });
});

describe('signing in by passkey', () => {
  it('needs neither name nor password nor code, and is in the history and the mail like any sign-in', async () => {
    const { person, browser, authenticator } = await withPasskey();
    await turnOn(browser);
    const fresh = stranger();
    const { status, body } = await enter(fresh, authenticator);
    expect({ status, id: body.id }).toEqual({ status: 200, id: person.id });
    expect((await test.app.inject({ url: '/api/user', cookies: fresh.cookies })).json().id).toBe(person.id);
    const history = await test.app.inject({ url: '/api/user/sign-ins', cookies: fresh.cookies });
    expect(history.json()).toMatchObject([{ isNewBrowser: true }, { isNewBrowser: true }]);
    expect(await mailsTo(person, 'new_browser')).toHaveLength(2);
    // The browser is known from now on.
    expect((await enter(fresh, authenticator)).status).toBe(200);
    expect(await mailsTo(person, 'new_browser')).toHaveLength(2);
    expect((await browser.passkeys())[0]?.lastUsedAt).toBe(test.ctx.clock().toISOString());
  });

  it.each([
    ['of another origin', { origin: 'http://localhost.evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without a verified user', { isVerified: false }],
    ['with a counter that did not grow', { counter: 1 }],
    ['that was signed for something else', { type: 'webauthn.create' }],
    ['for a challenge that was never given', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['in another person’s name', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['in nobody’s name', { userHandle: undefined }],
  ])('refuses an answer %s', async (_, lie) => {
    const { authenticator } = await withPasskey();
    const browser = stranger();
    expect(await enter(browser, authenticator, lie)).toMatchObject(NOT_SIGNED_IN);
    expect(browser.cookies.clipswap).toBeUndefined();
    expect((await enter(browser, authenticator)).status).toBe(200);
  });

  it('refuses an unknown passkey and a wrong signature with the same words', async () => {
    const { authenticator } = await withPasskey();
    const browser = stranger();
    const unknown = await enter(browser, createAuthenticator(ORIGIN));
    expect(unknown).toMatchObject(NOT_SIGNED_IN);
    const { body } = await browser.call('startPasskeySignIn');
    const passkey = authenticator.get(body);
    const forged = createAuthenticator(ORIGIN).get(body);
    const { signature } = forged.response;
    const wrong = { ...passkey, response: { ...passkey.response, signature } };
    expect(await browser.call('loginWithPasskey', { passkey: wrong })).toEqual(unknown);
  });

  it('takes an answer once, in time, and from the browser that asked', async () => {
    // Many passkeys count nothing: then the challenge alone tells that an answer is given again.
    const { authenticator } = await withPasskey(createAuthenticator(ORIGIN, { isCounting: false }));
    const browser = stranger();
    const { body } = await browser.call('startPasskeySignIn');
    const passkey = authenticator.get(body);
    const thief = stranger();
    await thief.call('startPasskeySignIn');
    expect(await thief.call('loginWithPasskey', { passkey })).toMatchObject(NOT_SIGNED_IN);
    const both = await Promise.all([
      browser.call('loginWithPasskey', { passkey }),
      browser.call('loginWithPasskey', { passkey }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = authenticator.get((await browser.call('startPasskeySignIn')).body);
    test.ctx.clock.advanceDays((CHALLENGE_MINUTES + 1) / (24 * 60));
    expect(await browser.call('loginWithPasskey', { passkey: late })).toMatchObject(NOT_SIGNED_IN);
  });

  it('does not take the answer to another question', async () => {
    const { browser, authenticator } = await withPasskey();
    const passkey = await proof(browser, authenticator);
    expect(await browser.call('loginWithPasskey', { passkey })).toMatchObject(NOT_SIGNED_IN);
  });

  it('is refused to banned people, with the reason, and open to suspended ones', async () => {
    const { person, authenticator } = await withPasskey();
    const stand = (status: string) =>
      test.ctx.db
        .updateTable('users')
        .set({ status, statusReason: 'Sold air' })
        .where('id', '=', person.id)
        .execute();
    await stand('suspended');
    expect((await enter(stranger(), authenticator)).status).toBe(200);
    await stand('banned');
    const { status, body } = await enter(stranger(), authenticator);
    expect(status).toBe(403);
    expect(body.error).toContain('Sold air');
  });

  it('is over when the account is deleted', async () => {
    const { person, authenticator } = await withPasskey();
    await inTransaction(test.ctx.db, (trx) => anonymisePerson(trx, test.ctx, person.id));
    expect(await enter(stranger(), authenticator)).toMatchObject(NOT_SIGNED_IN);
    const left = test.ctx.db.selectFrom('passkeys').select('id').where('userId', '=', person.id);
    expect(await left.execute()).toEqual([]);
  });

  it('counts tries like a password: by address, and by account from any address', async () => {
    const { authenticator } = await withPasskey();
    const ctx = { ...test.ctx, limiter: createRateLimiter(test.database.pool) };
    const browsers = { previousToken: null, device: null, browser: null };
    const { options } = await startPasskeySignIn(test.ctx, null);
    const passkey = authenticator.get(options);
    const from = (ip: string) =>
      loginWithPasskey({ ...ctx, ip }, { passkey }, browsers).catch(({ code }) => code);
    const codes: string[] = [];
    for (let round = 0; round < 21; round += 1) codes.push(await from('198.51.100.1'));
    expect(codes).toEqual([...Array(20).fill('unauthorized'), 'rate_limited']);
    for (let round = 0; round < 30; round += 1) codes.push(await from(`203.0.113.${round}`));
    expect(codes.slice(21)).toEqual(Array(30).fill('unauthorized'));
    expect(await from('203.0.113.200')).toBe('rate_limited');
  });
});

describe('a passkey in place of a code', () => {
  it('confirms what needs the second factor again', async () => {
    const { person, browser, authenticator } = await withPasskey();
    await turnOn(browser);
    const { id } = await createCoupon(test.ctx, person);
    const fresh = stranger();
    await enter(fresh, authenticator);
    const reveal = () =>
      test.app.inject({ method: 'POST', url: `/api/coupons/${id}/reveal`, cookies: fresh.cookies });
    expect((await reveal()).statusCode).toBe(403);
    const passkey = await proof(fresh, authenticator);
    expect((await fresh.call('confirmSecondFactor', { passkey })).status).toBe(200);
    expect((await reveal()).statusCode).toBe(200);
    expect(await fresh.call('confirmSecondFactor', { passkey })).toMatchObject(REFUSED);
  });

  it('is refused when it is another person’s', async () => {
    const { browser } = await withPasskey();
    const other = await withPasskey();
    await turnOn(browser);
    const { body } = await browser.call('startPasskeyCheck');
    const passkey = other.authenticator.get(body);
    expect(await browser.call('confirmSecondFactor', { passkey })).toMatchObject(REFUSED);
    expect(await browser.call('startPasskey', { passkey })).toMatchObject(REFUSED);
  });

  it('replaces the recovery codes and turns the second factor off', async () => {
    const { browser, authenticator } = await withPasskey();
    await turnOn(browser);
    const renewed = await browser.call('renewRecoveryCodes', {
      passkey: await proof(browser, authenticator),
    });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await browser.call('disableSecondFactor', { password: TEST_PASSWORD })).status).toBe(400);
    const passkey = await proof(browser, authenticator);
    expect((await browser.call('disableSecondFactor', { passkey })).status).toBe(200);
    expect((await browser.call('confirmSecondFactor', { passkey })).status).toBe(409);
  });

  it('stops after ten refused answers', async () => {
    const { person, browser } = await withPasskey();
    await turnOn(browser);
    const { body } = await browser.call('startPasskeyCheck');
    const passkey = createAuthenticator(ORIGIN).get(body);
    const ctx = { ...actingAs(test.ctx, person), limiter: createRateLimiter(test.database.pool) };
    const tries: string[] = [];
    for (let round = 0; round < 11; round += 1)
      tries.push(
        await confirmSecondFactor(ctx, { passkey }, null).then(
          () => 'ok',
          ({ code }) => code,
        ),
      );
    expect(tries).toEqual([...Array(10).fill('bad_input'), 'rate_limited']);
  });
});

describe('the list', () => {
  it('is renamed and shortened by its owner alone, with the password or the passkey itself', async () => {
    const { person, browser, authenticator, passkey } = await withPasskey();
    const other = await withPasskey();
    const { id } = passkey;
    expect((await other.browser.call('renamePasskey', { id, name: 'Mine' })).status).toBe(404);
    expect((await other.browser.call('removePasskey', { id, password: TEST_PASSWORD })).status).toBe(404);
    expect((await browser.call('renamePasskey', { id, name: 'Blue key' })).status).toBe(200);
    expect((await browser.passkeys())[0]?.name).toBe('Blue key');
    expect((await browser.call('removePasskey', { id, password: 'wrong' })).status).toBe(400);
    expect((await browser.call('removePasskey', { id })).status).toBe(400);
    const proven = await proof(browser, authenticator);
    expect((await browser.call('removePasskey', { id, passkey: proven })).status).toBe(200);
    expect(await browser.passkeys()).toEqual([]);
    expect((await browser.call('startPasskeyCheck')).status).toBe(409);
    expect(await enter(stranger(), authenticator)).toMatchObject(NOT_SIGNED_IN);
    expect((await mailsTo(person, 'passkey')).map(({ body }) => body)).toEqual([
      'was added to your account: Laptop',
      'was removed from your account: Blue key',
    ]);
  });
});

it('challenges that nobody answered are cleaned up', async () => {
  await startPasskeySignIn(test.ctx, null);
  const count = async () =>
    (await test.ctx.db.selectFrom('passkeyChallenges').select('purpose').execute()).length;
  await removePastChallenges(test.ctx);
  expect(await count()).toBeGreaterThan(0);
  test.ctx.clock.advanceDays(1);
  await removePastChallenges(test.ctx);
  expect(await count()).toBe(0);
});
