import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { accountLinks } from '#server/people/accounts/links.ts';
import { sendWaitingMail } from '#server/people/notifications/sending.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { type MailServer, startMailServer } from '#tests/support/mail.ts';

let server: MailServer;
let mailer: Mailer;
let test: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  mailer = createSmtpMailer(server.settings);
  test = await createTestApp({ config: { mail: server.settings }, providers: { mail: mailer } });
});
afterAll(async () => {
  await test.close();
  await mailer.close();
  await server.close();
});
beforeEach(() => {
  server.mails.length = 0;
});

/** Sends the waiting mails. @returns their receivers and subjects */
async function mailsNow(): Promise<[to: string, subject: string][]> {
  server.mails.length = 0;
  await sendWaitingMail(test.ctx, accountLinks);
  return server.mails.map(({ to, subject }) => [to, subject]);
}

async function proposed(): Promise<{ id: number; requester: Actor; owner: Actor }> {
  const [requester, owner] = [await createUser(test.ctx), await createUser(test.ctx)];
  const [offered, requested] = [await createCoupon(test.ctx, requester), await createCoupon(test.ctx, owner)];
  const answer = await test.call(requester, {
    method: 'POST',
    url: '/api/exchanges',
    body: { offeredCouponId: offered.id, requestedCouponId: requested.id },
  });
  return { id: answer.json().id, requester, owner };
}

const addressOf = ({ username }: Actor) => `${username}@example.org`;

describe('the address in a mail’s List-Unsubscribe header', () => {
  async function unsubscribeUrlOf(person: Actor): Promise<URL> {
    await mailsNow();
    const mail = server.mails.find(({ to }) => to === addressOf(person));
    return new URL(mail?.header('list-unsubscribe')?.slice(1, -1) ?? '');
  }

  const wantsMail = async (person: Actor) =>
    (await test.call(person, { method: 'GET', url: '/api/notification-preferences' }))
      .json()
      .find(({ type }: { type: string }) => type === 'exchange_request').mail;

  it('ends that kind of mail when a mail program posts to it (RFC 8058), from anywhere and without a cookie [decisions 5.0.1]', async () => {
    const { owner } = await proposed();
    const { pathname, search } = await unsubscribeUrlOf(owner);
    for (let time = 0; time < 2; time += 1) {
      const answer = await test.app.inject({
        method: 'POST',
        url: `${pathname}${search}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://mail.example',
          'sec-fetch-site': 'cross-site',
        },
        payload: 'List-Unsubscribe=One-Click',
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ type: 'exchange_request' });
    }
    expect(await wantsMail(owner)).toBe(false);
  });

  it('changes nothing when it is opened as a page, but redirects to our page, which asks first', async () => {
    const { owner } = await proposed();
    const { pathname, search } = await unsubscribeUrlOf(owner);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await test.app.inject({ method, url: `${pathname}${search}` });
      expect(answer.statusCode).toBe(302);
      expect(answer.headers.location).toBe(`/unsubscribe${search}`);
    }
    expect(await wantsMail(owner)).toBe(true);
  });

  it('refuses a missing or changed token, naming the field', async () => {
    const { owner, requester } = await proposed();
    const { search } = await unsubscribeUrlOf(owner);
    const forged = search.replace(`=${owner.id}.`, `=${requester.id}.`);
    for (const url of [`/api/unsubscribe${forged}`, '/api/unsubscribe', '/api/unsubscribe?token=a&token=b']) {
      const answer = await test.app.inject({ method: 'POST', url });
      expect(answer.statusCode, url).toBe(400);
      expect(answer.json(), url).toMatchObject({ code: 'bad_input', issues: [{ path: 'token' }] });
    }
    expect(await wantsMail(requester)).toBe(true);
    const big = await test.app.inject({
      method: 'POST',
      url: '/api/unsubscribe?token=a',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(2_000),
    });
    expect(big.statusCode).toBe(413);
  });
});

describe('the developer’s page of mails', () => {
  let developer: TestApp;
  beforeAll(async () => {
    developer = await createTestApp({ standIns: ['mail'] });
    await developer.deps.providers.mail?.send({
      to: 'ada@example.org',
      subject: 'A <b>bold</b> subject',
      text: 'See http://localhost/reset-password?token=r&x=1 soon\n',
      html: '<p style="color:red">Hello<script>alert(1)</script></p>',
      unsubscribeUrl: 'http://localhost/api/unsubscribe?token=u',
      messageId: '<mail-1@localhost>',
    });
  });
  afterAll(() => developer.close());

  const get = (url: string, given: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
    developer.app.inject({ method: 'GET', url, ...given });

  it('lists the stored mails, and shows one with headers, text and sandboxed HTML', async () => {
    const list = await get('/sandbox/mail');
    expect(list.statusCode).toBe(200);
    expect(list.body).toContain('A &lt;b&gt;bold&lt;/b&gt; subject');
    expect(list.body).not.toContain('<b>');
    const path = /href="(\/sandbox\/mail\/[0-9a-f]+)"/.exec(list.body)?.[1] ?? '';
    const one = await get(path);
    expect(one.body).toContain('<dt>List-Unsubscribe-Post</dt><dd>List-Unsubscribe=One-Click</dd>');
    expect(one.body).toContain('<a href="http://localhost/reset-password?token=r&amp;x=1">');
    expect(one.body).toContain(`<iframe sandbox title="The email as it looks" src="${path}/body">`);
    expect(one.headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
    expect(one.body).not.toMatch(/<style|<script| style=/);
    const body = await get(`${path}/body`);
    expect(body.body).toContain('<p style="color:red">Hello');
    expect(body.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
    );
    expect(body.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect((await get('/sandbox/page.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    expect((await get('/sandbox/mail/unknown')).statusCode).toBe(404);
  });

  it('is served to this machine only', async () => {
    for (const remoteAddress of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
      expect((await get('/sandbox/mail', { remoteAddress })).statusCode, remoteAddress).toBe(200);
    }
    for (const url of ['/sandbox/mail', '/sandbox/mail/unknown', '/sandbox/mail/unknown/body']) {
      for (const remoteAddress of ['192.0.2.7', '10.0.0.1', '::ffff:192.0.2.7', '2001:db8::1']) {
        expect((await get(url, { remoteAddress })).statusCode, remoteAddress).toBe(404);
      }
      // A foreign host name that points to this server.
      expect((await get(url, { headers: { host: 'evil.example' } })).statusCode).toBe(404);
    }
  });

  it('is not found where no sandbox runs', async () => {
    const other = await createTestApp();
    const answer = await other.app.inject({ url: '/sandbox/mail', remoteAddress: '127.0.0.1' });
    expect(answer.statusCode).toBe(404);
    await other.close();
  });
});
