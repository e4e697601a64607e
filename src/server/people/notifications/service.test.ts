import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { openLiveEvents } from '#server/database/live.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { listTransactionLogs } from '#server/deals/lifecycle/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { said } from '#tests/support/said.ts';
import { setPreference } from './preferences.ts';
import {
  listNotifications,
  markAllRead,
  markMessageNotificationsRead,
  markRead,
  notify,
  notifyAll,
  notifyOfMessage,
  recordLog,
  unreadCount,
} from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpContext(database);

const FIRST = { page: 1, limit: 50 };

function notice(user: Actor, content: string) {
  return {
    userId: user.id,
    type: 'other' as const,
    content: said(content),
    relatedId: null,
    link: '/',
    at: ctx.clock(),
  };
}

/** Sends `count` numbered notifications. */
async function tell(user: Actor, count: number): Promise<void> {
  const notices = Array.from({ length: count }, (_, i) => notice(user, `Number ${i + 1}`));
  await inTransaction(ctx.db, (trx) => notifyAll(trx, notices));
}

describe('notify', () => {
  it('writes the notification with its mail, or neither [spec/1 3.7]', async () => {
    const person = await createUser(ctx);
    const failed = inTransaction(ctx.db, async (trx) => {
      await notify(trx, notice(person, 'Never happened'));
      throw new Error('the act failed');
    });
    await expect(failed).rejects.toThrow('the act failed');
    await inTransaction(ctx.db, (trx) =>
      notify(trx, { ...notice(person, 'It happened'), mailSubject: said('Something happened') }),
    );
    const mails = await ctx.db
      .selectFrom('mailOutbox')
      .innerJoin('notifications', 'notifications.id', 'mailOutbox.notificationId')
      .select(['mailOutbox.userId', 'subject', 'body', 'content', 'attempts', 'sentAt'])
      .where('mailOutbox.userId', '=', person.id)
      .execute();
    expect(mails).toEqual([
      {
        userId: person.id,
        subject: 'Something happened',
        body: 'It happened',
        content: 'It happened',
        attempts: 0,
        sentAt: null,
      },
    ]);
  });

  it('notifies many people at once, each with their own text', async () => {
    const [one, two] = [await createUser(ctx), await createUser(ctx)];
    const notices = Array.from({ length: 2_501 }, (_, i) => notice(i % 2 ? one : two, `Number ${i}`));
    await inTransaction(ctx.db, (trx) => notifyAll(trx, notices));
    const mismatched = await ctx.db
      .selectFrom('notifications')
      .leftJoin('mailOutbox', 'mailOutbox.notificationId', 'notifications.id')
      .select('notifications.id')
      .where('notifications.userId', 'in', [one.id, two.id])
      .where((where) =>
        where.or([
          where('mailOutbox.id', 'is', null),
          where('mailOutbox.body', '<>', where.ref('notifications.content')),
          where('mailOutbox.userId', '<>', where.ref('notifications.userId')),
        ]),
      )
      .execute();
    expect(mismatched).toEqual([]);
    expect(await unreadCount(actingAs(ctx, one))).toEqual({ unread: 200 });
  });
});

describe('notifications', () => {
  it('are listed for their person, newest first, in pages [spec/1 7.5] [spec/2 7.17]', async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    await tell(other, 1);
    await tell(person, 5);
    const page = await listNotifications(actingAs(ctx, person), { page: 2, limit: 2 });
    expect(page.items.map(({ content }) => content)).toEqual(['Number 3', 'Number 2']);
    expect(page).toMatchObject({ total: 5, totalIsCapped: false, nextCursor: expect.any(String) });
    expect(page.items[0]).toEqual({
      id: expect.any(Number),
      type: 'other',
      content: 'Number 3',
      relatedId: null,
      link: '/',
      isRead: false,
      createdAt: ctx.clock().toISOString(),
    });
    await expect(listNotifications(actingAs(ctx, person), { page: 5, limit: 50 })).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'page' }],
    });
  });

  it("can be marked as read one by one or all at once, but not another person's [spec/2 4.18] [decisions 6.4.1]", async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    await tell(person, 3);
    const [newest] = (await listNotifications(actingAs(ctx, person), FIRST)).items;
    const id = newest?.id ?? 0;
    await expect(markRead(actingAs(ctx, other), id)).rejects.toMatchObject({ code: 'not_found' });
    await markAllRead(actingAs(ctx, other));
    expect(await unreadCount(actingAs(ctx, person))).toEqual({ unread: 3 });
    await markRead(actingAs(ctx, person), id);
    await markRead(actingAs(ctx, person), id);
    expect(await unreadCount(actingAs(ctx, person))).toEqual({ unread: 2 });
    await markAllRead(actingAs(ctx, person));
    expect(await unreadCount(actingAs(ctx, person))).toEqual({ unread: 0 });
    const { items } = await listNotifications(actingAs(ctx, person), FIRST);
    expect(items.map(({ isRead }) => isRead)).toEqual([true, true, true]);
  });
});

describe('history', () => {
  it("lists a person's own lines, with the current state of the exchange [spec/2 3.3 7.6]", async () => {
    const [requester, owner] = [await createUser(ctx), await createUser(ctx)];
    const [offered, requested] = [await createCoupon(ctx, requester), await createCoupon(ctx, owner)];
    const { id } = await proposeExchange(actingAs(ctx, requester), {
      offeredCouponId: offered.id,
      requestedCouponId: requested.id,
      message: null,
    });
    await inTransaction(ctx.db, (trx) =>
      recordLog(trx, {
        userId: owner.id,
        actorId: owner.id,
        action: 'login',
        details: said('You signed in.'),
        at: ctx.clock(),
      }),
    );
    await setExchangeStatus(actingAs(ctx, owner), { id, status: 'rejected' });
    const page = await listTransactionLogs(actingAs(ctx, owner), { ...FIRST, kind: 'all' });
    expect(page).toMatchObject({ total: 3, totalIsCapped: false });
    expect(page.items.map(({ action }) => action)).toEqual(['rejected', 'login', 'created']);
    expect(page.items[1]).toMatchObject({ exchangeId: null, exchange: null, userId: owner.id });
    expect(page.items[2]?.exchange).toEqual({
      status: 'rejected',
      requestedCoupon: {
        id: requested.id,
        title: requested.title,
        merchant: requested.merchant,
        value: 1_000,
        discountType: 'fixed',
        expiryDate: '2035-07-15',
        expiresAt: '2035-07-15T23:59:59.999Z',
        regions: [],
        transferable: 'unknown',
        imageUrl: null,
        ownerId: owner.id,
        reissuedAt: null,
        ownerUsername: owner.username,
        hasCode: true,
      },
      offeredCoupon: expect.objectContaining({ id: offered.id, ownerId: requester.id }),
    });
    expect(JSON.stringify(page)).not.toContain(offered.code);
  });
});

describe('notifications of messages', () => {
  const LINK = '/messages?exchange=7';

  function messageComes(person: Actor, link = LINK): Promise<void> {
    return inTransaction(ctx.db, (trx) =>
      notifyOfMessage(trx, [person.id], {
        content: said('ada wrote to you.'),
        deal: { dealType: 'exchange', dealId: 7 },
        link,
        at: ctx.clock(),
      }),
    );
  }

  function looksInto(person: Actor, link = LINK): Promise<void> {
    return inTransaction(ctx.db, (trx) => markMessageNotificationsRead(trx, { userId: person.id, link }));
  }

  /** How many notifications and mails they have received. */
  async function counts(person: Actor): Promise<{ notifications: number; mails: number }> {
    const [notifications, mails] = await Promise.all([
      ctx.db.selectFrom('notifications').select('id').where('userId', '=', person.id).execute(),
      ctx.db.selectFrom('mailOutbox').select('id').where('userId', '=', person.id).execute(),
    ]);
    return { notifications: notifications.length, mails: mails.length };
  }

  it('are sent once per conversation until it is read [decisions 3.10.4]', async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    await messageComes(person);
    await messageComes(person);
    await messageComes(other);
    expect(await counts(person)).toEqual({ notifications: 1, mails: 1 });
    await messageComes(person, '/messages?bid=7');
    expect(await counts(person)).toEqual({ notifications: 2, mails: 2 });
    await looksInto(person);
    await messageComes(person);
    expect(await counts(person)).toEqual({ notifications: 3, mails: 3 });
    expect(await counts(other)).toEqual({ notifications: 1, mails: 1 });
    const { items } = await listNotifications(actingAs(ctx, person), { page: 1, limit: 10 });
    expect(items.map(({ link, isRead }) => [link, isRead])).toEqual([
      [LINK, false],
      ['/messages?bid=7', false],
      [LINK, true],
    ]);
  });

  it('send one mail to people who want only mail, until they read the conversation', async () => {
    const person = await createUser(ctx);
    await setPreference(actingAs(ctx, person), { type: 'message', inApp: false, mail: true });
    await Promise.all(Array.from({ length: 8 }, () => messageComes(person)));
    expect(await counts(person)).toEqual({ notifications: 0, mails: 1 });
    await looksInto(person, '/messages?bid=7');
    await messageComes(person);
    expect(await counts(person)).toEqual({ notifications: 0, mails: 1 });
    await looksInto(person);
    await messageComes(person);
    expect(await counts(person)).toEqual({ notifications: 0, mails: 2 });
  });

  it('respect the preferences: nothing, or only the notification', async () => {
    const [neither, inApp] = [await createUser(ctx), await createUser(ctx)];
    await setPreference(actingAs(ctx, neither), { type: 'message', inApp: false, mail: false });
    await setPreference(actingAs(ctx, inApp), { type: 'message', inApp: true, mail: false });
    await messageComes(neither);
    await messageComes(inApp);
    expect(await counts(neither)).toEqual({ notifications: 0, mails: 0 });
    expect(await counts(inApp)).toEqual({ notifications: 1, mails: 0 });
  });

  it("announce every change to the person's open browsers, and to nobody else's", async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    const live = openLiveEvents({ url: database.url, db: database.db, log: ctx.log });
    try {
      const line = live.follow({ userId: person.id, ip: '192.0.2.1' });
      const next = async () => (await line.next()).value;
      expect(await next()).toEqual({ kind: 'resync' });
      const tell = (userId: number, content: string) =>
        inTransaction(ctx.db, (trx) =>
          notify(trx, {
            userId,
            type: 'other',
            content: said(content),
            relatedId: null,
            link: '/',
            at: ctx.clock(),
          }),
        );
      const heard = { kind: 'notification' };
      // Each act causes exactly one event: a second one, or one of another person, would arrive too early below.
      const acts = [
        () => tell(person.id, 'News'),
        () => messageComes(person),
        () => looksInto(person),
        async () => {
          const { items } = await listNotifications(actingAs(ctx, person), { page: 1, limit: 1 });
          await markRead(actingAs(ctx, person), items[0]?.id ?? 0);
        },
        () => markAllRead(actingAs(ctx, person)),
      ];
      for (const act of acts) {
        await tell(other.id, 'Nothing to do with it');
        await act();
        expect(await next()).toEqual(heard);
      }
      await markAllRead(actingAs(ctx, person));
      await looksInto(person);
      const last = next();
      await live.close();
      expect(await last).toBeUndefined();
    } finally {
      await live.close();
    }
  });
});
