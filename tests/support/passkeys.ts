import { generateSync } from 'otplib';
import { expect } from 'vitest';
import { passkeySchema } from '#contract/people/passkeys.ts';
import type { Actor } from '#server/context/context.ts';
import type { TestApp } from './app.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { createUser, TEST_PASSWORD } from './builders.ts';

/** The origin of the test application, by its public address. */
export const ORIGIN = 'http://localhost';

/** The answer to a signed-in person whose passkey is refused. */
export const REFUSED = { status: 400, body: { code: 'bad_input', issues: [{ path: 'passkey' }] } };

/** A browser as `openBrowser` opens it. */
type PasskeyBrowser = ReturnType<ReturnType<typeof openPasskeys>['openBrowser']>;

/** What the tests of passkeys do with a test application. */
export function openPasskeys(test: TestApp) {
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

  /** A browser in which somebody has signed in by password. */
  async function signedIn(person: Actor): Promise<PasskeyBrowser> {
    const browser = openBrowser();
    const { status } = await browser.call('login', { username: person.username, password: TEST_PASSWORD });
    expect(status).toBe(200);
    return browser;
  }

  async function add(browser: PasskeyBrowser, authenticator: Authenticator, name = 'Laptop') {
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
    browser: PasskeyBrowser,
    authenticator: Authenticator,
    lie: Parameters<Authenticator['get']>[1] = {},
  ) {
    const { body } = await browser.call('startPasskeySignIn');
    return browser.call('loginWithPasskey', { passkey: authenticator.get(body, lie) });
  }

  /** One of the signed-in person's passkeys, given once more. */
  async function proof(browser: PasskeyBrowser, authenticator: Authenticator) {
    const { body } = await browser.call('startPasskeyCheck');
    return authenticator.get(body);
  }

  /** Turns the second factor on; returns what gives its next code. */
  async function turnOn(browser: PasskeyBrowser) {
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

  return { openBrowser, signedIn, add, withPasskey, enter, proof, turnOn, mailsTo };
}
