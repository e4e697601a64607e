import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { type AccountLinks, sendWaitingMail } from '#server/people/notifications/sending.ts';
import { notify, queueAccountMail } from '#server/people/notifications/service.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createTestContext, type TestContext } from './builders.ts';
import { setUpDatabase } from './database.ts';
import { type MailServer, startMailServer } from './mail.ts';
import { said } from './said.ts';

type AccountMail = Parameters<typeof queueAccountMail>[1];

/** Stands in for the accounts domain. Only addresses that start with `nobody` have no account. */
const links: AccountLinks = {
  verifyEmail: async (_trx, _ctx, userId) => ({
    to: `new-${userId}@example.org`,
    path: '/verify-email?token=v',
  }),
  resetPassword: async (_trx, _ctx, email) =>
    email.startsWith('nobody') ? null : { to: email, path: '/reset-password?token=r' },
  defend: () => '/defend?token=d',
  notMe: async (_trx, _ctx, { to }) => ({ to, path: '/not-me?token=n' }),
};

/** A context, an SMTP server that receives its mail, and what fills and sends the outbox. Empty before each test. */
export function setUpMailing() {
  const database = setUpDatabase();
  const server = {} as MailServer;
  const mailer = {} as Mailer;
  const ctx = {} as TestContext;
  beforeAll(async () => {
    Object.assign(server, await startMailServer());
    Object.assign(mailer, smtp());
  });
  afterAll(async () => {
    await mailer.close();
    await server.close();
  });
  beforeEach(async () => {
    Object.assign(ctx, createTestContext(database, { providers: { mail: mailer } }));
    server.decide(() => 'take');
    server.mails.length = 0;
    await ctx.db.deleteFrom('mailOutbox').execute();
  });
  const smtp = (): Mailer => createSmtpMailer(server.settings);
  const send = (given: Partial<TestContext> = {}) => sendWaitingMail({ ...ctx, ...given }, links);

  /** Sends one batch: the program stops at its first mail. */
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
    mailSubject = 'You have a new exchange request',
  ) {
    const notice = {
      userId: person.id,
      type: 'exchange_request' as const,
      content: said(content),
      relatedId: 3,
      mailSubject: said(mailSubject),
    };
    return inTransaction(ctx.db, (trx) =>
      notify(trx, { ...notice, link: '/exchanges?exchange=3', at: ctx.clock() }),
    );
  }

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

  return { ctx, server, mailer, smtp, links, send, sendOnlyTheFirst, tell, queue, rows, minutes };
}
