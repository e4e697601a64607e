import { Writable } from 'node:stream';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { createLogger } from '#server/core/log.ts';
import { accountLinks } from '#server/people/accounts/links.ts';
import { sendWaitingMail } from '#server/people/notifications/sending.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createTestApp, type TestApp } from './app.ts';
import { createTestClock, TEST_PASSWORD } from './builders.ts';
import { MANY_CONNECTIONS } from './database.ts';
import { type MailServer, startMailServer } from './mail.ts';

/** The new password that the tests choose. */
export const NEW_PASSWORD = 'Quiet-river-9';

/** The application with a real SMTP server, and what people do with mailed links. */
export interface MailedLinks {
  readonly test: TestApp;
  readonly mailServer: MailServer;
  /** Sends the queued mail. */
  sendMail(): Promise<void>;
  /** Sends the queued mail, then discards all received mail. */
  emptyBoxes(): Promise<void>;
  /** Sends the queued mail, returns the token of the only such link to an address, and discards all received mail. */
  mailedToken(to: string, path: '/verify-email' | '/reset-password' | '/not-me' | '/defend'): Promise<string>;
  /** The subjects of the received mails to an address. */
  subjectsTo(address: string): string[];
  post(who: Actor | null, url: string, body?: unknown): Promise<LightMyRequestResponse>;
  /** Requests a new address, as the profile form does. */
  changeAddress(person: Actor, email: string): Promise<void>;
  addressesOf(
    userId: number,
  ): Promise<{ email: string; emailVerifiedAt: Date | null; pendingEmail: string | null }>;
  askForReset(email: string): Promise<LightMyRequestResponse>;
  /** Sets a new password by a mailed link. */
  chooseNew(token: string, password?: string): Promise<LightMyRequestResponse>;
  /** Expects that no mailed token and no password is in any table or in the log. */
  expectNoStoredSecrets(): Promise<void>;
  close(): Promise<void>;
}

/** Expects the answer to a link that is used, expired or invented. */
export async function expectSpent(answer: Promise<LightMyRequestResponse>): Promise<void> {
  const { statusCode, json } = await answer;
  expect({ statusCode, body: json() }).toEqual({
    statusCode: 400,
    body: {
      error: TEXTS.settings.linkSpent(),
      code: 'bad_input',
      issues: [{ path: 'token', message: TEXTS.settings.linkSpent() }],
    },
  });
}

/** Expects the answer to a link that has done its work. */
export async function expectDone(answer: Promise<LightMyRequestResponse>): Promise<void> {
  const { statusCode, json } = await answer;
  expect({ statusCode, body: json() }).toMatchObject({
    statusCode: 400,
    body: { code: 'bad_input', issues: [{ path: 'token', message: TEXTS.settings.linkDone() }] },
  });
}

/** Opened before a file's tests and closed after them; no mail waits when a test begins. */
export function setUpMailedLinks(): MailedLinks {
  const links = {} as MailedLinks;
  beforeAll(async () => {
    Object.assign(links, await openMailedLinks());
  });
  afterAll(() => links.close());
  beforeEach(() => links.emptyBoxes());
  return links;
}

async function openMailedLinks(): Promise<MailedLinks> {
  const mailServer = await startMailServer();
  const logged: string[] = [];
  const tokens: string[] = [];
  const lines = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const test = await createTestApp({
    clock: createTestClock(),
    connections: MANY_CONNECTIONS,
    log: createLogger({ logLevel: 'debug', isProduction: true }, lines),
    providers: { mail: createSmtpMailer(mailServer.settings) },
  });
  const { ctx } = test;

  const sendMail = async () => {
    await sendWaitingMail(ctx, accountLinks);
  };
  const post: MailedLinks['post'] = (who, url, body) => test.call(who, { method: 'POST', url, body });

  return {
    test,
    mailServer,
    sendMail,
    async emptyBoxes() {
      await sendMail();
      mailServer.mails.length = 0;
    },
    async mailedToken(to, path) {
      await sendMail();
      const link = new RegExp(`http://localhost${path}\\?token=([\\w.-]*[\\w-])`);
      const found = mailServer.mails
        .filter((mail) => mail.to === to)
        .flatMap(({ text }) => link.exec(text)?.[1] ?? []);
      const [token] = found;
      if (!token || found.length > 1) throw new Error(`${found.length} links to ${path}`);
      tokens.push(token);
      mailServer.mails.length = 0;
      return token;
    },
    subjectsTo: (address) =>
      mailServer.mails.filter((mail) => mail.to === address).map((mail) => mail.subject),
    post,
    async changeAddress(person, email) {
      const answer = await test.call(person, {
        method: 'PUT',
        url: '/api/user/profile',
        body: { email, password: TEST_PASSWORD, preferredCurrency: 'CAD', country: 'CA' },
      });
      expect(answer.json()).toMatchObject({ pendingEmail: email });
    },
    addressesOf: (userId) =>
      ctx.db
        .selectFrom('users')
        .select(['email', 'emailVerifiedAt', 'pendingEmail'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow(),
    askForReset: (email) => post(null, '/api/password-reset/request', { email }),
    chooseNew: (token, password = NEW_PASSWORD) =>
      post(null, '/api/password-reset', { token, newPassword: password, confirmPassword: password }),
    async expectNoStoredSecrets() {
      expect(tokens.length).toBeGreaterThan(5);
      for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
      const { rows: tables } = await sql<{ name: string }>`
        select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
        ctx.db,
      );
      expect(tables.map(({ name }) => name)).toContain('account_tokens');
      const places = [{ name: 'the log', text: logged.join('') }];
      for (const { name } of tables) {
        const { rows } = await sql<{ text: string }>`
          select t::text as text from ${sql.table(name)} as t`.execute(ctx.db);
        places.push({ name, text: rows.map(({ text }) => text).join('\n') });
      }
      for (const { name, text } of places) {
        for (const secret of [...tokens, NEW_PASSWORD, TEST_PASSWORD]) {
          expect(text.includes(secret), `${name} holds ${secret}`).toBe(false);
        }
      }
    },
    async close() {
      await ctx.providers.mail?.close();
      await test.close();
      await mailServer.close();
    },
  };
}
