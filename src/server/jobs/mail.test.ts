import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { queueAccountMail } from '#server/domains/notifications/account-mail.ts';
import { createSmtpMailer } from '#server/providers/mail/smtp.ts';
import { createTestContext, createUser } from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { type MailServer, startMailServer } from '#server/testing/mail.ts';
import { mail } from './mail.ts';

let database: TestDatabase;
let server: MailServer;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startMailServer();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

it('sends what is written down while it runs, with a link that works, and ends when the program stops', async () => {
  const mailer = createSmtpMailer(server.settings);
  const ctx = createTestContext(database, { providers: { mail: mailer } });
  const person = await createUser(ctx);
  const stopping = new AbortController();
  const queue = (kind: 'password_changed' | 'reset_password') =>
    inTransaction(ctx.db, (trx) =>
      queueAccountMail(trx, {
        kind,
        userId: null,
        address: `${person.username}@example.org`,
        at: ctx.clock(),
      }),
    );
  await queue('password_changed');
  const running = mail.run(ctx, stopping.signal);
  await server.waitFor(1);
  await queue('reset_password');
  const [, reset] = await server.waitFor(2);
  expect(reset?.text).toMatch(/http:\/\/localhost\/reset-password\?token=[\w-]{43}\n/);
  stopping.abort();
  await running;
  await mailer?.close();
});
