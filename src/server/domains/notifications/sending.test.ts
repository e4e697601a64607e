import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createOutbox } from '#server/sandbox/mail/outbox.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { type MailServer, startMailServer } from '#server/testing/mail.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import type { Actor } from '../context.ts';
import { setPreference } from './preferences.ts';
import { type AccountLinks, forgetEndedMail, sendWaitingMail } from './sending.ts';
import { notify, queueAccountMail } from './service.ts';

const database = setUpDatabase();
let server: MailServer;
let mailer: Mailer;
let ctx: TestContext;
beforeAll(async () => {
  server = await startMailServer();
  mailer = smtp();
});
afterAll(async () => {
  await mailer.close();
  await server.close();
});
beforeEach(async () => {
  ctx = createTestContext(database, { providers: { mail: mailer } });
  server.decide(() => 'take');
  server.mails.length = 0;
  await ctx.db.deleteFrom('mailOutbox').execute();
});

const smtp = (): Mailer => createSmtpMailer(server.settings);

/** Stands for the domain of accounts: every link has a token, of those who ask for a new password one is known. */
const links: AccountLinks = {
  verifyEmail: async (_trx, _ctx, userId) => ({
    to: `new-${userId}@example.org`,
    path: '/verify-email?token=v',
  }),
  resetPassword: async (_trx, _ctx, email) =>
    email.startsWith('nobody') ? null : { to: email, path: '/reset-password?token=r' },
};
const send = (given: Partial<TestContext> = {}) => sendWaitingMail({ ...ctx, ...given }, links);

/** Those that are taken at once, as when the program is being stopped. */
function sendOnlyTheFirst() {
  const stopping = new AbortController();
  const stopsFirst: Mailer = {
    ...mailer,
    async send(mail) {
      stopping.abort();
      await mailer.send(mail);
    },
  };
  const providers = { ...ctx.providers, mail: stopsFirst };
  return sendWaitingMail({ ...ctx, providers }, links, stopping.signal);
}

function tell(
  person: Actor,
  content = 'ada wants to swap.',
  mailSubject = 'Somebody wants to swap with you',
) {
  const notice = { userId: person.id, type: 'exchange_request' as const, content, relatedId: 3, mailSubject };
  return inTransaction(ctx.db, (trx) =>
    notify(trx, { ...notice, link: '/exchanges?exchange=3', at: ctx.clock() }),
  );
}

type AccountMail = Parameters<typeof queueAccountMail>[1];
function queue(mail: Pick<AccountMail, 'kind'> & Partial<AccountMail>) {
  const whole = { userId: null, address: null, at: ctx.clock(), ...mail };
  return inTransaction(ctx.db, (trx) => queueAccountMail(trx, whole));
}

function rows() {
  return ctx.db
    .selectFrom('mailOutbox')
    .select(['attempts', 'sentAt', 'failedAt', 'lastError', 'nextTryAt'])
    .orderBy('id')
    .execute();
}

const minutes = (count: number) => ctx.clock.advanceDays(count / (24 * 60));

describe('a mail of news', () => {
  it('goes out once, plain and with looks, with the headers that mail programs go by', async () => {
    const person = await createUser(ctx);
    await tell(person);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail?.to).toBe(`${person.username}@example.org`);
    expect(mail?.subject).toBe('Somebody wants to swap with you');
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
        'Somebody wants to swap with you',
        'ada wants to swap.',
        'See the proposal:\nhttp://localhost/exchanges?exchange=3',
        '-- \nClipSwap\nYou get this mail because you have an account at ClipSwap, and mail about exchange requests is switched on in your settings.',
        `No more mail about exchange requests:\nhttp://localhost/unsubscribe?token=${token}`,
      ].join('\n\n'),
    );
    expect(mail?.html).toContain('<a style="display:inline-block');
    expect(mail?.html).toContain('href="http://localhost/exchanges?exchange=3">See the proposal</a>');
    expect(mail?.html).toContain(`href="http://localhost/unsubscribe?token=${token}"`);
    expect(mail?.html).toContain('prefers-color-scheme: dark');
    expect(mail?.html).not.toMatch(/<table|<img|<script|src=/);
    expect((await rows())[0]).toMatchObject({ attempts: 1, sentAt: ctx.clock(), failedAt: null });
  });

  it('carries what people have written as text, whatever it looks like', async () => {
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

  it('cannot be made to carry headers of somebody else’s', async () => {
    await tell(await createUser(ctx), 'Hello', 'Hello\r\nBcc: victim@example.org\r\n\r\nBuy this');
    await send();
    const [mail] = server.mails;
    expect(server.mails).toHaveLength(1);
    expect(mail?.header('bcc')).toBeUndefined();
    expect(mail?.text).toContain('See the proposal');
  });

  it('goes to confirmed addresses alone, and to nobody who is banned, gone, or wants none by now', async () => {
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
    // Nothing of the others waits for a better day.
    expect(await rows()).toHaveLength(1);
  });

  it('is read by developers where it is for demo people, and is no failure when it is old', async () => {
    const demo = await createUser(ctx, { isDemo: true });
    await tell(demo, 'Long ago');
    ctx.clock.advanceDays(8);
    await tell(demo, 'Today');
    const outbox = createOutbox(createMemoryStore());
    const providers = { ...ctx.providers, mail: outbox };
    expect(await send({ providers })).toEqual({ sent: 1, failed: 0 });
    const kept = await outbox.kept.list();
    expect(kept.map(({ text }) => text.includes('Today'))).toEqual([true]);
  });
});

describe('mail of the account', () => {
  it('goes out whatever people want and are, each with its own words, without an end to it', async () => {
    const person = await createUser(ctx, { status: 'banned', emailVerifiedAt: null });
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
        'Confirm your e-mail address',
        `new-${person.id}@example.org`,
        'The link works for 24 hours.',
        'Confirm this address:\nhttp://localhost/verify-email?token=v',
      ],
      [
        'Choose a new password',
        'known@example.org',
        'The link works for one hour, and once.',
        'Choose a new password:\nhttp://localhost/reset-password?token=r',
      ],
      ['Your password was changed', own, 'This was not me:\nhttp://localhost/forgot-password'],
      ['Your e-mail address was changed', 'old@example.org', 'the address of your account'],
      ['Your account was deleted', 'gone@example.org', 'Thank you for having been here.'],
      ['The standing of your account has changed', own, 'You are banned.\n\nReason: <fraud>'],
    ];
    expect([...bySubject.keys()].sort()).toEqual(expected.map(([subject]) => subject).sort());
    for (const [subject, to, ...said] of expected) {
      const mail = bySubject.get(subject);
      expect(mail?.to).toBe(to);
      for (const text of said) expect(mail?.text).toContain(text);
      expect(mail?.header('list-unsubscribe')).toBeUndefined();
      expect(mail?.header('auto-submitted')).toBe('auto-generated');
      expect(mail?.text).not.toContain('unsubscribe');
    }
    expect(bySubject.get('The standing of your account has changed')?.html).toContain(
      'Reason: &lt;fraud&gt;',
    );
    // Of an address that nobody has there is no trace.
    expect(await rows()).toHaveLength(6);
  });

  it('does not wait behind news', async () => {
    const person = await createUser(ctx);
    for (let i = 0; i < 12; i += 1) await tell(person, `News ${i}`);
    minutes(1);
    await queue({ kind: 'verify_email', userId: person.id });
    const { sent } = await sendOnlyTheFirst();
    expect(sent).toBeLessThan(13);
    expect(server.mails.map(({ subject }) => subject)).toContain('Confirm your e-mail address');
  });

  it('goes nowhere when the account is gone and no address was written down', async () => {
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    await queue({ kind: 'password_changed', userId: gone.id });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(await rows()).toEqual([]);
  });
});

describe('a mail that does not get through', () => {
  it('is tried again later and later, as the same mail, and is given up after eight tries', async () => {
    await tell(await createUser(ctx));
    server.decide(() => ({ status: 451, text: 'who@example.org: try again later' }));
    const waits = [1, 5, 15, 60, 180, 360, 720];
    for (const wait of waits) {
      expect(await send()).toEqual({ sent: 0, failed: 1 });
      // Not before its time.
      expect(await send()).toEqual({ sent: 0, failed: 0 });
      const [row] = await rows();
      expect(row).toMatchObject({ failedAt: null, lastError: 'not sent: 451 (EENVELOPE)' });
      expect(Number(row?.nextTryAt) - Number(ctx.clock())).toBe(wait * 60_000);
      minutes(wait);
    }
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    expect((await rows())[0]).toMatchObject({ attempts: 8, failedAt: ctx.clock() });
    ctx.clock.advanceDays(1);
    server.decide(() => 'take');
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(server.mails).toEqual([]);
  });

  it('goes out at the next try when the line was cut', async () => {
    const person = await createUser(ctx);
    await tell(person);
    server.decide(() => 'cut');
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    expect((await rows())[0]?.lastError).toMatch(/^not sent: E[A-Z]+$/);
    server.decide(() => 'take');
    minutes(1);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(server.mails).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ attempts: 2, lastError: null, sentAt: ctx.clock() });
  });

  it('is given up at once when the address is refused for good, and the rest goes on', async () => {
    const [wrong, right] = [await createUser(ctx), await createUser(ctx)];
    await tell(wrong);
    await tell(right);
    server.decide((to) =>
      to.startsWith(wrong.username) ? { status: 550, text: `5.1.1 <${to}>: no such mailbox` } : 'take',
    );
    expect(await send()).toEqual({ sent: 1, failed: 1 });
    expect(server.mails.map(({ to }) => to)).toEqual([`${right.username}@example.org`]);
    expect((await rows())[0]).toMatchObject({
      attempts: 1,
      failedAt: ctx.clock(),
      lastError: 'refused: 550 5.1.1',
    });
  });

  it('says nothing of a program’s error but its name, and tries again', async () => {
    const person = await createUser(ctx);
    await queue({ kind: 'verify_email', userId: person.id });
    const broken: AccountLinks = {
      ...links,
      verifyEmail: async () => {
        throw new TypeError('secret-token of ada@example.org');
      },
    };
    expect(await sendWaitingMail(ctx, broken)).toEqual({ sent: 0, failed: 1 });
    expect((await rows())[0]).toMatchObject({ lastError: 'TypeError', failedAt: null });
    minutes(1);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
  });

  it('waits where mail is not set up, and is given up after a week', async () => {
    await tell(await createUser(ctx));
    const providers = { ...ctx.providers, mail: null };
    expect(await send({ providers })).toEqual({ sent: 0, failed: 0 });
    ctx.clock.advanceDays(6.9);
    expect(await send({ providers })).toEqual({ sent: 0, failed: 0 });
    expect((await rows())[0]).toMatchObject({ attempts: 0, failedAt: null });
    ctx.clock.advanceDays(0.2);
    expect(await send({ providers })).toEqual({ sent: 0, failed: 1 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect((await rows())[0]).toMatchObject({ failedAt: ctx.clock(), lastError: 'not sent in time' });
  });
});

describe('several at once', () => {
  it('two processes that send at once send every mail once', async () => {
    const people = [await createUser(ctx), await createUser(ctx), await createUser(ctx)];
    for (let i = 0; i < 8; i += 1) for (const person of people) await tell(person, `News ${i}`);
    const other = smtp();
    try {
      const results = await Promise.all([
        send(),
        send({ providers: { ...ctx.providers, mail: other } }),
        send(),
      ]);
      expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(24);
      expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(24);
      expect(server.mails).toHaveLength(24);
    } finally {
      await other.close();
    }
  });

  it('what a process died over is sent again by the next one, under the same Message-ID', async () => {
    await tell(await createUser(ctx));
    const dying: Mailer = {
      ...mailer,
      async send(mail) {
        await mailer.send(mail);
        // The database is out of reach when it comes to the mark, and to the note of the failure.
        await ctx.db.schema.alterTable('mail_outbox').renameTo('mail_outbox_away').execute();
      },
    };
    await expect(send({ providers: { ...ctx.providers, mail: dying } })).rejects.toThrow('mail_outbox');
    await ctx.db.schema.alterTable('mail_outbox_away').renameTo('mail_outbox').execute();
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    minutes(1);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    const [first, second] = server.mails;
    expect(second?.messageId).toBe(first?.messageId);
    expect(server.mails).toHaveLength(2);
  });

  it('ends early, after the mails on their way, when the program stops', async () => {
    const person = await createUser(ctx);
    for (let i = 0; i < 12; i += 1) await tell(person, `News ${i}`);
    const { sent } = await sendOnlyTheFirst();
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(4);
    expect(server.mails).toHaveLength(sent);
  });
});

it('forgets what has ended a month after, and nothing that waits', async () => {
  const person = await createUser(ctx);
  await tell(person, 'Sent');
  await send();
  await queue({ kind: 'email_changed', address: 'full@example.org' });
  server.decide(() => ({ status: 550, text: 'no' }));
  await send();
  ctx.clock.advanceDays(29);
  await tell(person, 'Waits');
  await forgetEndedMail(ctx);
  expect(await rows()).toHaveLength(3);
  ctx.clock.advanceDays(1.1);
  await forgetEndedMail(ctx);
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([0]);
});
