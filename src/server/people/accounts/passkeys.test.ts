import { describe, expect, it } from 'vitest';
import { CHALLENGE_MINUTES } from '#contract/base/limits.ts';
import { PASSKEYS_AT_MOST } from '#contract/people/passkeys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { ORIGIN, openPasskeys, REFUSED } from '#tests/support/passkeys.ts';
import { removePastChallenges, startPasskeySignIn } from './passkey-checks.ts';

const test = setUpApp();
const { openBrowser, signedIn, add, withPasskey, enter, proof, turnOn, mailsTo } = openPasskeys(test);

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
    expect(await mailsTo(person, 'passkey')).toEqual([
      { body: 'A passkey was added to your account: “My phone”.' },
    ]);
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
    expect((await enter(openBrowser(), authenticator)).status).toBe(401);
    // The password is always left.
    await signedIn(person);
    expect((await mailsTo(person, 'passkey')).map(({ body }) => body)).toEqual([
      'A passkey was added to your account: “Laptop”.',
      'A passkey was removed from your account: “Blue key”.',
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
