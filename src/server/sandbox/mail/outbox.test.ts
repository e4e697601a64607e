import fastify from 'fastify';
import { expect, it } from 'vitest';
import type { Mail } from '#server/providers/mail/mailer.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import { addOutboxPage, createOutbox } from './outbox.ts';

const mail: Mail = {
  to: 'ada@example.org',
  subject: 'Über Ihre Anfrage',
  text: 'Hello\n',
  html: '<p>Hello</p>',
  unsubscribeUrl: null,
  messageId: '<mail-1@localhost>',
};

it('keeps the last 200 mails, newest first, and a mail that is sent again once', async () => {
  const outbox = createOutbox(createMemoryStore());
  for (let i = 1; i <= 203; i += 1) {
    await outbox.send({ ...mail, subject: `Number ${i}`, messageId: `<mail-${i}@localhost>` });
  }
  await outbox.send({ ...mail, subject: 'Number 203, again', messageId: '<mail-203@localhost>' });
  const kept = await outbox.kept.list();
  expect(kept).toHaveLength(200);
  expect(kept.at(0)?.subject).toBe('Number 203, again');
  expect(kept.at(-1)?.subject).toBe('Number 4');
  expect(await outbox.kept.find(kept[0]?.id ?? '')).toEqual(kept[0]);
  expect(await outbox.kept.find('unknown')).toBeNull();
});

it('shows the headers with which a mail would have been sent', async () => {
  const outbox = createOutbox(createMemoryStore());
  const unsubscribeUrl = 'http://localhost/api/unsubscribe?token=t';
  await outbox.send({ ...mail, unsubscribeUrl });
  expect((await outbox.kept.list())?.[0]?.headers).toEqual({
    To: 'ada@example.org',
    Subject: 'Über Ihre Anfrage',
    'Message-ID': '<mail-1@localhost>',
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

it('has a page of the newest mail to an address, for readers at this machine', async () => {
  const outbox = createOutbox(createMemoryStore());
  const app = fastify();
  addOutboxPage(app, outbox);
  const page = outbox.pageOf?.('Ada@example.org', '127.0.0.1') ?? '';
  expect((await app.inject(page)).headers.location).toBe('/sandbox/mail');
  await outbox.send(mail);
  await outbox.send({ ...mail, messageId: '<mail-2@localhost>' });
  await outbox.send({ ...mail, to: 'bob@example.org', messageId: '<mail-3@localhost>' });
  const newest = (await outbox.kept.list())[1]?.id;
  expect((await app.inject(page)).headers.location).toBe(`/sandbox/mail/${newest}`);
  expect(outbox.pageOf?.('ada@example.org', '192.0.2.1')).toBeNull();
});
