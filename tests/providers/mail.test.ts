import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openSandbox } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import type { MailSettings } from '#server/core/provider-settings.ts';
import { type Mail, MailDeferred, type Mailer, MailRefused } from '#server/providers/mail/mailer.ts';
import { createOutboxMailer } from '#server/providers/mail/outbox.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { type MailServer, startMailServer } from '#tests/support/mail.ts';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const opened: Mailer[] = [];
afterEach(async () => {
  for (const mailer of opened.splice(0)) await mailer.close();
  server.mails.length = 0;
});

function open(settings: MailSettings): Mailer {
  const mailer = createSmtpMailer(settings);
  opened.push(mailer);
  return mailer;
}

const mail: Mail = {
  to: 'ada@example.org',
  subject: 'Über Ihre Anfrage',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  unsubscribeUrl: null,
  messageId: '<mail-1@localhost>',
};

async function failureOf(sending: Promise<void>): Promise<unknown> {
  return sending.then(
    () => null,
    (error: unknown) => error,
  );
}

it('sends over SMTP from the configured sender, under the Message-ID it was given', async () => {
  const mailer = open(server.settings);
  expect(mailer).toMatchObject({ transport: 'smtp' });
  await mailer.send(mail);
  await mailer.send({ ...mail, messageId: '<mail-2@localhost>' });
  expect(server.mails.map(({ messageId }) => messageId)).toEqual([
    '<mail-1@localhost>',
    '<mail-2@localhost>',
  ]);
  expect(server.mails[0]).toMatchObject({ to: 'ada@example.org', subject: 'Über Ihre Anfrage' });
  expect(server.mails[0]?.header('from')).toBe('ClipSwap <hello@clipswap.example>');
});

it('treats any address as one recipient', async () => {
  const to = 'ada@example.org, victim@example.org';
  await failureOf(open(server.settings).send({ ...mail, to }));
  expect(server.mails.filter((received) => received.to !== to)).toEqual([]);
});

it('distinguishes permanent from temporary refusals, without the address', async () => {
  const mailer = open(server.settings);
  server.decide((to) => ({ status: 550, text: `5.7.1 <${to}> is not wanted` }));
  const refused = await failureOf(mailer.send(mail));
  expect(refused).toEqual(new MailRefused('refused: 550 5.7.1'));
  expect(refused).toBeInstanceOf(MailRefused);
  server.decide((to) => ({ status: 450, text: `<${to}> is greylisted` }));
  const deferred = await failureOf(mailer.send(mail));
  expect(deferred).toEqual(new MailDeferred('not sent: 450 (EENVELOPE)'));
  expect(deferred).not.toBeInstanceOf(MailRefused);
  server.decide(() => 'take');
  await mailer.send(mail);
  expect(server.mails).toHaveLength(1);
});

it('reports a missing answer as temporary', async () => {
  const gone = await startMailServer();
  const mailer = open(gone.settings);
  await gone.close();
  expect(await failureOf(mailer.send(mail))).toEqual(new MailDeferred('not sent: ESOCKET'));
});

it('sends no password without TLS, and does not blame the recipient', async () => {
  // This server offers no TLS.
  const url = server.settings.url.replace('smtp://', 'smtp://me:secret@');
  const failure = await failureOf(open({ ...server.settings, url }).send(mail));
  expect(failure).toEqual(new MailDeferred('not sent: 500 (ETLS)'));
  expect(server.mails).toEqual([]);
});

it('gives mail to the outbox, which keeps the last 200, newest first, and one that is sent again once', async () => {
  const store = openStore();
  const sandbox = await openSandbox({ store, marketplace: () => null, publicUrl: 'http://localhost' });
  const outbox = createOutboxMailer(sandbox.url);
  opened.push({ ...outbox, close: () => sandbox.close() });
  const page = `${sandbox.url}${outbox.pageOf?.('Ada@example.org', '127.0.0.1')}`;
  expect(outbox.pageOf?.('ada@example.org', '192.0.2.1')).toBeNull();
  const newest = async () => (await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '';
  expect(await newest()).toBe('/sandbox/mail');
  const unsubscribeUrl = 'http://localhost/api/unsubscribe?token=t';
  for (let count = 1; count <= 203; count += 1)
    await outbox.send({ ...mail, to: `${count}@example.org`, messageId: `<mail-${count}@localhost>` });
  const sent = { ...mail, messageId: '<mail-203@localhost>', unsubscribeUrl };
  await outbox.send(sent);
  const list = await (await fetch(`${sandbox.url}/sandbox/mail`)).text();
  expect(list.match(/<li>/g)).toHaveLength(200);
  expect(list).not.toContain('>3@example.org');
  const shown = await (await fetch(`${sandbox.url}${await newest()}`)).text();
  for (const text of ['&lt;mail-203@localhost&gt;', 'auto-generated', `&lt;${unsubscribeUrl}&gt;`])
    expect(shown).toContain(text);
});
