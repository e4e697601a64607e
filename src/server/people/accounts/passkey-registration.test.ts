import { describe, expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { ORIGIN, openPasskeys, REFUSED } from '#tests/support/passkeys.ts';

const test = setUpApp();
const { openBrowser, enter, proof } = openPasskeys(test);

let people = 0;
const somebody = () => {
  people += 1;
  const username = `thumb.${people}`;
  return { username, email: `${username}@example.org`, acceptTerms: true, isAdult: true };
};

/** Registers somebody with a passkey of this authenticator. */
async function registered(authenticator = createAuthenticator(ORIGIN)) {
  const [browser, person] = [openBrowser(), somebody()];
  const { body: creation } = await browser.call('startPasskeyRegistration', { username: person.username });
  const passkey = authenticator.create(creation);
  const answer = await browser.call('registerWithPasskey', { ...person, passkey });
  return { browser, person, authenticator, answer, passkey };
}

const NEW_PASSWORD = { newPassword: 'Aa1-meadow', confirmPassword: 'Aa1-meadow' };

describe('registering with a passkey', () => {
  it('signs in, mails the link to confirm the address, and lets the passkey sign in elsewhere', async () => {
    const { browser, person, authenticator, answer } = await registered();
    expect(answer).toMatchObject({
      status: 200,
      body: { username: person.username, isEmailVerified: false },
    });
    expect((await test.app.inject({ url: '/api/user', cookies: browser.cookies })).json().id).toBe(
      answer.body.id,
    );
    const mails = await test.ctx.db
      .selectFrom('mailOutbox')
      .select('kind')
      .where('userId', '=', answer.body.id)
      .execute();
    expect(mails).toEqual([{ kind: 'verify_email' }]);
    const elsewhere = openBrowser();
    expect((await enter(elsewhere, authenticator)).body.id).toBe(answer.body.id);
  });

  it('leaves no password that opens the account', async () => {
    const { person } = await registered();
    for (const password of ['', ' ', 'thumb']) {
      const { status } = await openBrowser().call('login', { username: person.username, password });
      expect([400, 401]).toContain(status);
    }
  });

  it.each([
    ['for a challenge of another browser', 'browser'],
    ['for a challenge of a sign-in', 'purpose'],
    ['twice', 'again'],
  ])('refuses a passkey %s', async (_, how) => {
    const [browser, authenticator] = [openBrowser(), createAuthenticator(ORIGIN)];
    const first = somebody();
    const { body: creation } = await browser.call('startPasskeyRegistration', { username: first.username });
    const { challenge } = (await browser.call('startPasskeySignIn')).body;
    const passkey = authenticator.create(how === 'purpose' ? { ...creation, challenge } : creation);
    if (how === 'again') await browser.call('registerWithPasskey', { ...first, passkey });
    const asked = how === 'browser' ? openBrowser() : browser;
    expect(await asked.call('registerWithPasskey', { ...somebody(), passkey })).toMatchObject(REFUSED);
  });

  it('refuses a name that is taken, and a passkey that somebody has', async () => {
    const { person, authenticator } = await registered();
    const browser = openBrowser();
    const start = async (username: string) =>
      (await browser.call('startPasskeyRegistration', { username })).body;
    const other = createAuthenticator(ORIGIN).create(await start(person.username));
    const taken = await browser.call('registerWithPasskey', {
      ...somebody(),
      username: person.username,
      passkey: other,
    });
    expect(taken.body).toMatchObject({ code: 'username_taken' });
    const next = somebody();
    const passkey = authenticator.create(await start(next.username));
    expect(await browser.call('registerWithPasskey', { ...next, passkey })).toMatchObject({ status: 409 });
    const row = test.ctx.db.selectFrom('users').select('id').where('username', '=', next.username);
    expect(await row.executeTakeFirst()).toBeUndefined();
  });
});

describe('somebody without a password', () => {
  it('keeps their last passkey, until they have a password, which the passkey lets them choose', async () => {
    const { browser, person, authenticator } = await registered();
    const [{ id } = { id: 0 }] = await browser.passkeys();
    const remove = async () =>
      browser.call('removePasskey', { id, passkey: await proof(browser, authenticator) });
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('no password') },
    });
    expect(await browser.passkeys()).toHaveLength(1);
    const passkey = await proof(browser, authenticator);
    expect((await browser.call('changePassword', { ...NEW_PASSWORD, passkey })).status).toBe(200);
    const fresh = openBrowser();
    const credentials = { username: person.username, password: NEW_PASSWORD.newPassword };
    expect((await fresh.call('login', credentials)).status).toBe(200);
    expect((await remove()).status).toBe(200);
  });

  it('turns the second factor on, and leaves, by the passkey; never without it', async () => {
    const { browser, authenticator } = await registered();
    for (const call of ['startSecondFactor', 'deleteAccount', 'changePassword']) {
      const given = call === 'changePassword' ? NEW_PASSWORD : {};
      expect(
        (await browser.call(call, { ...given, currentPassword: '', password: '', confirmPassword: '' }))
          .status,
      ).toBe(400);
    }
    const passkey = await proof(browser, authenticator);
    expect((await browser.call('startSecondFactor', { passkey })).body.secret).toEqual(expect.any(String));
    expect(
      (await browser.call('deleteAccount', { passkey: await proof(browser, authenticator) })).status,
    ).toBe(200);
  });
});
