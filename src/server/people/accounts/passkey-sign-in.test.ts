import { describe, expect, it } from 'vitest';
import { CHALLENGE_MINUTES } from '#contract/base/limits.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { listTransactionLogs } from '#server/deals/lifecycle/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { actingAs, createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { ORIGIN, openPasskeys, REFUSED } from '#tests/support/passkeys.ts';
import { anonymisePerson } from './accounts.ts';
import { startPasskeySignIn } from './passkey-checks.ts';
import { addPasskey, startPasskey } from './passkeys.ts';
import { confirmSecondFactor } from './second-factor.ts';
import { loginWithPasskey } from './signing-in.ts';

const test = setUpApp();
const { openBrowser, withPasskey, enter, proof, turnOn, mailsTo } = openPasskeys(test);
const NOT_SIGNED_IN = { status: 401, body: { code: 'unauthorized', error: TEXTS.accounts.passkeyRefused() } };

describe('signing in by passkey', () => {
  it('needs neither name nor password nor code, and is in the history and the mail like any sign-in', async () => {
    const { person, browser, authenticator } = await withPasskey();
    await turnOn(browser);
    const fresh = openBrowser();
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
    ['with a counter that began again', { counter: 0 }],
    ['that was signed for something else', { type: 'webauthn.create' }],
    ['for a challenge that was never given', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['in another person’s name', { userHandle: Buffer.alloc(32).toString('base64url') }],
    ['in nobody’s name', { userHandle: undefined }],
  ])('refuses an answer %s', async (_, lie) => {
    const { authenticator } = await withPasskey();
    const browser = openBrowser();
    expect(await enter(browser, authenticator, lie)).toMatchObject(NOT_SIGNED_IN);
    expect(browser.cookies.clipswap).toBeUndefined();
    expect((await enter(browser, authenticator)).status).toBe(200);
  });

  it('tells the owner of an answer whose counter went back, if its signature is right', async () => {
    const { person, authenticator } = await withPasskey();
    const browser = openBrowser();
    const { body } = await browser.call('startPasskeySignIn');
    const { signature } = createAuthenticator(ORIGIN).get(body).response;
    const old = authenticator.get(body, { counter: 0 });
    const forged = { ...old, response: { ...old.response, signature } };
    expect(await browser.call('loginWithPasskey', { passkey: forged })).toMatchObject(NOT_SIGNED_IN);
    expect(await mailsTo(person, 'passkey_copied')).toEqual([]);
    expect(await enter(browser, authenticator, { counter: 0 })).toMatchObject(NOT_SIGNED_IN);
    expect(await mailsTo(person, 'passkey_copied')).toEqual([{ body: 'Laptop' }]);
    const logs = await listTransactionLogs(actingAs(test.ctx, person), { page: 1, limit: 1, kind: 'all' });
    expect(logs.items[0]?.details).toBe('Passkey refused, it may have been copied: Laptop');
  });

  it('refuses an unknown passkey and a wrong signature with the same words', async () => {
    const { authenticator } = await withPasskey();
    const browser = openBrowser();
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
    const browser = openBrowser();
    const { body } = await browser.call('startPasskeySignIn');
    const passkey = authenticator.get(body);
    const thief = openBrowser();
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

  it('is for the host of PUBLIC_URL, on its origin alone', async () => {
    const publicUrl = 'https://market.example:8443';
    const ctx = { ...test.ctx, config: { ...test.ctx.config, publicUrl } };
    const mine = actingAs(ctx, await createUser(ctx));
    const authenticator = createAuthenticator(publicUrl);
    const asked = await startPasskey(mine, { password: TEST_PASSWORD }, null);
    expect(asked.options.rp.id).toBe('market.example');
    const passkey = authenticator.create(asked.options);
    await addPasskey(mine, { name: 'Key', passkey }, asked.browser.token);
    const enterFrom = async (origin: string) => {
      const { options, browser } = await startPasskeySignIn(ctx, null);
      expect(options.rpId).toBe('market.example');
      const given = { passkey: authenticator.get(options, { origin }) };
      const browsers = { previousToken: null, device: null, browser: browser.token };
      return loginWithPasskey(ctx, given, browsers).then(
        ({ user }) => user.id,
        ({ code }) => code,
      );
    };
    // Pages of the same host that are not ours.
    expect(await enterFrom('https://market.example')).toBe('unauthorized');
    expect(await enterFrom('http://market.example:8443')).toBe('unauthorized');
    expect(await enterFrom(publicUrl)).toBe(mine.actor.id);
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
    expect((await enter(openBrowser(), authenticator)).status).toBe(200);
    await stand('banned');
    const { status, body } = await enter(openBrowser(), authenticator);
    expect(status).toBe(403);
    expect(body.error).toContain('Sold air');
  });

  it('is over when the account is deleted', async () => {
    const { person, authenticator } = await withPasskey();
    await inTransaction(test.ctx.db, (trx) => anonymisePerson(trx, test.ctx, person.id));
    expect(await enter(openBrowser(), authenticator)).toMatchObject(NOT_SIGNED_IN);
    const left = test.ctx.db.selectFrom('passkeys').select('id').where('userId', '=', person.id);
    expect(await left.execute()).toEqual([]);
  });

  it('counts tries by address alone', async () => {
    const { authenticator } = await withPasskey();
    const ctx = { ...test.ctx, limiter: createRateLimiter(test.database.pool) };
    const browsers = { previousToken: null, device: null, browser: null };
    const { options } = await startPasskeySignIn(test.ctx, null);
    const passkey = authenticator.get(options);
    const from = (ip: string) =>
      loginWithPasskey({ ...ctx, ip }, { passkey }, browsers).catch(({ code }) => code);
    const codes: string[] = [];
    for (let round = 0; round < 101; round += 1) codes.push(await from('198.51.100.1'));
    expect(codes).toEqual([...Array(100).fill('unauthorized'), 'rate_limited']);
    expect(await from('198.51.100.2')).toBe('unauthorized');
  });
});

describe('a passkey in place of a code', () => {
  it('confirms what needs the second factor again', async () => {
    const { person, browser, authenticator } = await withPasskey();
    await turnOn(browser);
    const { id } = await createCoupon(test.ctx, person);
    const fresh = openBrowser();
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

  it('stops after ten refused answers from one network', async () => {
    const { person, browser } = await withPasskey();
    await turnOn(browser);
    const { body } = await browser.call('startPasskeyCheck');
    const passkey = createAuthenticator(ORIGIN).get(body);
    const ctx = { ...actingAs(test.ctx, person), limiter: createRateLimiter(test.database.pool) };
    const tries: string[] = [];
    const from = (ip: string) =>
      confirmSecondFactor({ ...ctx, ip }, { passkey }, null).then(
        () => 'ok',
        ({ code }) => code,
      );
    for (let round = 0; round < 11; round += 1) tries.push(await from('198.51.100.1'));
    expect(tries).toEqual([...Array(10).fill('bad_input'), 'rate_limited']);
    expect(await from('198.51.100.2')).toBe('bad_input');
  });
});
