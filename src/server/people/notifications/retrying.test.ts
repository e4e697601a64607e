import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { createUser } from '#tests/support/builders.ts';
import { setUpMailing } from '#tests/support/mailing.ts';
import { type AccountLinks, forgetEndedMail, sendWaitingMail } from './sending.ts';

const { ctx, server, mailer, smtp, links, send, sendOnlyTheFirst, tell, queue, rows, minutes } =
  setUpMailing();

describe('a mail that fails', () => {
  it('is retried after growing waits, and given up after eight tries', async () => {
    await tell(await createUser(ctx));
    server.decide(() => ({ status: 451, text: 'who@example.org: try again later' }));
    const waits = [1, 5, 15, 60, 180, 360, 720];
    for (const wait of waits) {
      expect(await send()).toEqual({ sent: 0, failed: 1 });
      // It is not tried before it is due.
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

  it('is sent at the next try after the connection was cut', async () => {
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

  it('is given up at once if the address is refused permanently; other mails are sent', async () => {
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

  it('stores only the name of a program error, and is retried', async () => {
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

  it('waits if mail is not configured, and is given up after a week', async () => {
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

describe('concurrency', () => {
  /** From now on the database fails when a mail is marked as sent, and when its failure is stored. */
  const mailOutboxAway = () => ctx.db.schema.alterTable('mail_outbox').renameTo('mail_outbox_away').execute();
  const mailOutboxBack = () => ctx.db.schema.alterTable('mail_outbox_away').renameTo('mail_outbox').execute();

  it('several processes that send at once send every mail once [decisions 5.0.2]', async () => {
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

  it('a mail whose process died is sent again with the same Message-ID', async () => {
    await tell(await createUser(ctx));
    const dying: Mailer = {
      ...mailer,
      async send(mail) {
        await mailer.send(mail);
        await mailOutboxAway();
      },
    };
    await expect(send({ providers: { ...ctx.providers, mail: dying } })).rejects.toThrow('mail_outbox');
    await mailOutboxBack();
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    minutes(1);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    const [first, second] = server.mails;
    expect(second?.messageId).toBe(first?.messageId);
    expect(server.mails).toHaveLength(2);
  });

  it('ends after every mail that is being sent, even if one of them fails', async () => {
    const person = await createUser(ctx);
    await tell(person, 'First');
    await tell(person, 'Second');
    const begun: (() => void)[] = [];
    let arrived = 0;
    const failing: Mailer = {
      ...mailer,
      async send(mail) {
        // Until both are being sent.
        await new Promise<void>((resolve) => {
          begun.push(resolve);
          if (begun.length === 2) for (const goOn of begun) goOn();
        });
        if (mail.text.includes('First')) await mailOutboxAway();
        else await setTimeout(100);
        arrived += 1;
      },
    };
    await expect(send({ providers: { ...ctx.providers, mail: failing } })).rejects.toThrow('mail_outbox');
    const arrivedBefore = arrived;
    await mailOutboxBack();
    expect(arrivedBefore).toBe(2);
  });

  it('stops early with the program, after the mails that are being sent', async () => {
    const person = await createUser(ctx);
    for (let i = 0; i < 12; i += 1) await tell(person, `News ${i}`);
    const { sent } = await sendOnlyTheFirst();
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(4);
    expect(server.mails).toHaveLength(sent);
  });
});

it('deletes finished mail after a month, and no waiting mail', async () => {
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
