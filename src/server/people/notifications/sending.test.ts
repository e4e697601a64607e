import { describe, expect, it } from 'vitest';
import type { Receipt } from '#contract/money/receipts.ts';
import { inLanguage } from '#server/core/language.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Mail } from '#server/providers/mail/mailer.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { setUpMailing } from '#tests/support/mailing.ts';
import { ofReader } from '#tests/support/said.ts';
import { setPreference } from './preferences.ts';
import { notify } from './service.ts';

const { ctx, server, send, sendOnlyTheFirst, tell, queue, rows, minutes } = setUpMailing();

const RECEIPT: Receipt = {
  kind: 'receipt',
  number: 'R-000001',
  paymentId: 1,
  bidId: 1,
  exchangeId: null,
  paidAt: '2026-11-25T10:00:00.000Z',
  buyerUsername: 'ada',
  sellerUsername: 'bob',
  couponTitle: 'Soup',
  merchant: 'Café',
  amount: '1200.00',
  feeRate: { basisPoints: 400, minimum: 50 },
  fee: '50.00',
  total: '1250.00',
  provider: 'stripe',
  card: null,
  status: 'held',
  isDisputed: false,
  movements: [],
};

describe('a mail of news', () => {
  it('is sent once, as text and HTML, with the headers that mail programs need', async () => {
    const person = await createUser(ctx);
    await tell(person);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail?.to).toBe(`${person.username}@example.org`);
    expect(mail?.subject).toBe('You have a new exchange request');
    expect(mail?.header('from')).toBe('ClipSwap <hello@clipswap.example>');
    expect(mail?.header('to')).toBe(`${person.username}@example.org`);
    expect(mail?.header('auto-submitted')).toBe('auto-generated');
    expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const token = /^<http:\/\/localhost\/api\/unsubscribe\?token=([\w.]+)>$/.exec(
      mail?.header('list-unsubscribe') ?? '',
    )?.[1];
    expect(token).toMatch(new RegExp(`^${person.id}\\.exchange_request\\.[0-9a-f]{64}$`));
    expect(mail?.messageId).toMatch(/^<mail-\d+-\d+@localhost>$/);
    expect(mail?.text.trimEnd()).toBe(
      [
        'You have a new exchange request',
        'ada wants to swap.',
        'See the request:\nhttp://localhost/exchanges?exchange=3',
        '-- \nClipSwap\nYou get this email because you have a ClipSwap account and emails about exchange requests are on in your settings.\nNeed help? Write to help@clipswap.example.',
        `Stop emails about exchange requests:\nhttp://localhost/unsubscribe?token=${token}`,
      ].join('\n\n'),
    );
    expect(mail?.html).toContain('<a style="display:inline-block');
    expect(mail?.html).toContain('href="http://localhost/exchanges?exchange=3">See the request</a>');
    expect(mail?.html).toContain(`href="http://localhost/unsubscribe?token=${token}"`);
    expect(mail?.html).toContain('prefers-color-scheme: dark');
    expect(mail?.html).not.toMatch(/<table|<img|<script|src=/);
    expect((await rows())[0]).toMatchObject({ attempts: 1, sentAt: ctx.clock(), failedAt: null });
  });

  it('is in the language that its receiver has when it is sent, with its receipt', async () => {
    const person = await createUser(ctx);
    const news = { userId: person.id, type: 'other' as const, relatedId: null, link: '/', at: ctx.clock() };
    await inTransaction(ctx.db, (trx) =>
      notify(trx, { ...news, content: ofReader(), mailSubject: ofReader(), receipt: RECEIPT }),
    );
    await ctx.db.updateTable('users').set({ language: 'fr' }).where('id', '=', person.id).execute();
    await inLanguage('en', send);
    const [mail] = server.mails;
    expect(mail?.subject).toBe('In fr');
    expect(mail?.text).toMatch(/\n\nIn fr\n\n/);
    expect(mail?.text).toMatch(/: 1.250,00.\$ CAD\n/);
    expect(mail?.html).toContain('<html lang="fr-CA"');
    expect(mail?.text).toContain('http://localhost/fr/\n');
  });

  it('escapes what people have written', async () => {
    const title = `<script>alert("1")</script> & 'co' <b>été</b>`;
    await tell(await createUser(ctx), `New: ${title}`, `About ${title}`);
    await send();
    const [mail] = server.mails;
    expect(mail?.subject).toBe(`About ${title}`);
    expect(mail?.text).toContain(`New: ${title}`);
    expect(mail?.html).toContain(
      'New: &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39; &lt;b&gt;été&lt;/b&gt;',
    );
    expect(mail?.html).not.toMatch(/<script|<b>/);
  });

  it('has no live links but its own, whatever people have written', async () => {
    const hostile = 'See https://evil.example/a, www.evil.example or me@evil.example of evil.com';
    const person = await createUser(ctx);
    await tell(person, hostile);
    await queue({ kind: 'passkey_copied', userId: person.id, body: hostile });
    await queue({ kind: 'status_changed', userId: person.id, body: hostile });
    expect(await send()).toEqual({ sent: 3, failed: 0 });
    for (const { text, html } of server.mails) {
      expect(text).toContain(
        'https[:]//evil[.]example/a, www[.]evil[.]example or me@evil[.]example of evil[.]com',
      );
      for (const part of [text, html]) expect(part).not.toMatch(/evil\.|:\/\/evil/);
    }
  });

  it('cannot be given additional headers by its texts', async () => {
    await tell(await createUser(ctx), 'Hello', 'Hello\r\nBcc: victim@example.org\r\n\r\nBuy this');
    await send();
    const [mail] = server.mails;
    expect(server.mails).toHaveLength(1);
    expect(mail?.header('bcc')).toBeUndefined();
    expect(mail?.text).toContain('See the request');
  });

  it('is sent only to confirmed addresses of people who want it and are not banned or deleted [decisions 5.0.2]', async () => {
    const now = ctx.clock();
    const changed = await createUser(ctx);
    const people = {
      unverified: await createUser(ctx, { emailVerifiedAt: null }),
      banned: await createUser(ctx, { status: 'banned' }),
      deleted: await createUser(ctx, { deletedAt: now }),
      demo: await createUser(ctx, { isDemo: true }),
      changed,
      suspended: await createUser(ctx, { status: 'suspended' }),
    };
    for (const person of Object.values(people)) await tell(person);
    await setPreference(actingAs(ctx, changed), { type: 'exchange_request', inApp: true, mail: false });
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(server.mails.map(({ to }) => to)).toEqual([`${people.suspended.username}@example.org`]);
    // The other mails are deleted.
    expect(await rows()).toHaveLength(1);
  });

  it('to demo people goes to the outbox page, and is deleted when it is old', async () => {
    const demo = await createUser(ctx, { isDemo: true });
    await tell(demo, 'Long ago');
    ctx.clock.advanceDays(8);
    await tell(demo, 'Today');
    const kept: string[] = [];
    const outbox = {
      transport: 'outbox' as const,
      send: async (mail: Mail) => void kept.push(mail.text),
      check: async () => {},
      close: async () => {},
    };
    const providers = { ...ctx.providers, mail: outbox };
    expect(await send({ providers })).toEqual({ sent: 1, failed: 0 });
    expect(kept).toEqual([expect.stringContaining('Today')]);
  });
});

describe('account mail', () => {
  it('is sent regardless of preferences and status, with its own text and no unsubscribe link', async () => {
    const person = await createUser(ctx, { status: 'banned' });
    const own = `${person.username}@example.org`;
    await queue({ kind: 'verify_email', userId: person.id });
    await queue({ kind: 'reset_password', address: 'known@example.org' });
    await queue({ kind: 'reset_password', address: 'nobody@example.org' });
    await queue({ kind: 'password_changed', userId: person.id });
    await queue({ kind: 'email_changed', userId: person.id, address: 'old@example.org' });
    await queue({ kind: 'account_deleted', userId: person.id, address: 'gone@example.org' });
    await queue({ kind: 'status_changed', userId: person.id, body: 'You are banned.\n\nReason: <fraud>' });
    expect(await send()).toEqual({ sent: 6, failed: 0 });
    const bySubject = new Map(server.mails.map((mail) => [mail.subject, mail]));
    const expected: [subject: string, to: string, ...said: string[]][] = [
      [
        'Confirm your email address',
        `new-${person.id}@example.org`,
        'The link works for 24 hours.',
        'Confirm this address:\nhttp://localhost/verify-email?token=v',
      ],
      [
        'Choose a new password',
        'known@example.org',
        'The link works once, within one hour.',
        'Choose a new password:\nhttp://localhost/reset-password?token=r',
      ],
      ['Your password was changed', own, 'This was not me:\nhttp://localhost/not-me?token=n'],
      ['Your email address was changed', 'old@example.org', 'the address of your account'],
      ['Your account was deleted', 'gone@example.org', 'Thank you for being part of ClipSwap.'],
      ['Your account’s status has changed', own, 'You are banned.\n\nReason: <fraud>'],
    ];
    expect([...bySubject.keys()].sort()).toEqual(expected.map(([subject]) => subject).sort());
    for (const [subject, to, ...said] of expected) {
      const mail = bySubject.get(subject);
      expect(mail?.to).toBe(to);
      for (const text of [...said, 'rite to help@clipswap.example.']) expect(mail?.text).toContain(text);
      expect(mail?.header('list-unsubscribe')).toBeUndefined();
      expect(mail?.header('auto-submitted')).toBe('auto-generated');
      expect(mail?.text).not.toContain('unsubscribe');
    }
    expect(bySubject.get('Your account’s status has changed')?.html).toContain('Reason: &lt;fraud&gt;');
    // The mail to the unknown address is deleted.
    expect(await rows()).toHaveLength(6);
  });

  it('without an account is in the language of the request that asks for it', async () => {
    await inLanguage('fr', () => queue({ kind: 'reset_password', address: 'known@example.org' }));
    await send();
    expect(server.mails[0]?.html).toContain('<html lang="fr-CA"');
  });

  it('is not sent to an address that is not confirmed, but for the link that confirms it', async () => {
    const person = await createUser(ctx, { emailVerifiedAt: null });
    for (const kind of [
      'verify_email',
      'password_changed',
      'new_browser',
      'passkey',
      'status_changed',
    ] as const) {
      await queue({ kind, userId: person.id });
    }
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(server.mails.map(({ subject }) => subject)).toEqual(['Confirm your email address']);
  });

  it('is sent before news', async () => {
    const person = await createUser(ctx);
    for (let i = 0; i < 12; i += 1) await tell(person, `News ${i}`);
    minutes(1);
    await queue({ kind: 'verify_email', userId: person.id });
    const { sent } = await sendOnlyTheFirst();
    expect(sent).toBeLessThan(13);
    expect(server.mails.map(({ subject }) => subject)).toContain('Confirm your email address');
  });

  it('is deleted if the account is deleted and no address was stored', async () => {
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    await queue({ kind: 'password_changed', userId: gone.id });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(await rows()).toEqual([]);
  });
});
