import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { TEST_PASSWORD } from './builders.ts';

/** What somebody says on the provider's page. */
export type AtProvider = { readonly email: string; readonly isChecked?: boolean } | 'cancel';

/** A browser as `openIdentities` opens it. */
export type IdentityBrowser = ReturnType<ReturnType<typeof openIdentities>['openBrowser']>;

/** What the tests of sign-ins with a provider do with a test application that has one. */
export function openIdentities(test: TestApp) {
  /** Somebody's browser: it keeps its cookies from call to call. */
  function openBrowser() {
    const cookies: Record<string, string> = {};
    const inject = async (given: {
      readonly method: 'GET' | 'POST';
      readonly url: string;
      readonly payload?: object;
      readonly headers?: Record<string, string>;
    }) => {
      const answer = await test.app.inject({ ...given, cookies });
      for (const { name, value } of answer.cookies) cookies[name] = value;
      return answer;
    };
    const browser = {
      cookies,
      async call(procedure: string, payload: object = {}) {
        const answer = await inject({ method: 'POST', url: `/api/trpc/${procedure}`, payload });
        const { result, error } = answer.json();
        return { status: answer.statusCode, body: result?.data ?? error.data.wire };
      },
      async read(procedure: string) {
        const answer = await inject({ method: 'GET', url: `/api/trpc/${procedure}` });
        return answer.json().result?.data;
      },
      signIn: ({ username }: { username: string }, more: object = {}) =>
        browser.call('accounts.login', { username, password: TEST_PASSWORD, ...more }),
      /** Begins a sign-in. @returns the provider's page */
      async begin(from?: string): Promise<string> {
        const { status, body } = await browser.call('identities.start', { from });
        expect(status).toBe(200);
        return body.url;
      },
      /** Opens an address that the provider leads to. @returns where our server leads from there */
      async follow(callback: string, headers = {}): Promise<string> {
        const answer = await inject({ method: 'GET', url: callback, headers });
        expect(answer.statusCode).toBe(303);
        return String(answer.headers.location);
      },
      /** The whole way to the provider and back. @returns where our server leads */
      async come(who: AtProvider, from?: string): Promise<string> {
        return browser.follow(await answerAt(await browser.begin(from), who));
      },
    };
    return browser;
  }

  /** Fills in the provider's page. @returns the path of ours to which it leads */
  async function answerAt(page: string, who: AtProvider): Promise<string> {
    const { pathname, search } = new URL(page);
    const form: Record<string, string> =
      who === 'cancel'
        ? { choice: 'cancel' }
        : { email: who.email, verified: who.isChecked === false ? '' : 'yes' };
    const answer = await test.app.inject({
      method: 'POST',
      url: pathname + search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    expect(answer.statusCode).toBe(303);
    const { origin, pathname: path, search: query } = new URL(String(answer.headers.location));
    expect(origin).toBe(test.deps.config.publicUrl);
    return path + query;
  }

  /** Links an identity to somebody's account, by their settings. @returns the browser in which they are signed in */
  async function linked(person: { username: string }, email: string): Promise<IdentityBrowser> {
    const browser = openBrowser();
    await browser.signIn(person);
    const { body } = await browser.call('identities.startLink', { password: TEST_PASSWORD });
    await browser.follow(await answerAt(body.url, { email }));
    expect((await browser.call('identities.link')).status).toBe(200);
    return browser;
  }

  const identitiesOf = ({ id }: { id: number }) =>
    test.ctx.db.selectFrom('identities').selectAll().where('userId', '=', id).execute();

  const mailsTo = ({ id }: { id: number }, kind: string) => {
    const mails = test.ctx.db.selectFrom('mailOutbox').select('body').where('userId', '=', id);
    return mails.where('kind', '=', kind).orderBy('id').execute();
  };

  return { openBrowser, answerAt, linked, identitiesOf, mailsTo };
}

/** A registration with a provider, besides the names. */
export const AGREED = { acceptTerms: true, isAdult: true };
