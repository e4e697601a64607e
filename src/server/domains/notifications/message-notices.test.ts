import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { openLiveEvents } from '#server/database/live.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import type { Actor } from '../context.ts';
import { setPreference } from './preferences.ts';
import {
  listNotifications,
  markAllRead,
  markMessageNotificationsRead,
  markRead,
  notify,
  notifyOfMessage,
} from './service.ts';

let database: TestDatabase;
let ctx: TestContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = createTestContext(database);
});
afterAll(() => database.close());

const LINK = '/messages?exchange=7';

function messageComes(person: Actor, link = LINK): Promise<void> {
  return inTransaction(ctx.db, (trx) =>
    notifyOfMessage(trx, {
      userId: person.id,
      content: 'ada has written to you.',
      relatedId: 7,
      link,
      at: ctx.clock(),
    }),
  );
}

function looksInto(person: Actor, link = LINK): Promise<void> {
  return inTransaction(ctx.db, (trx) => markMessageNotificationsRead(trx, { userId: person.id, link }));
}

/** How many notifications, and mails, they have been sent. */
async function counts(person: Actor): Promise<{ notifications: number; mails: number }> {
  const [notifications, mails] = await Promise.all([
    ctx.db.selectFrom('notifications').select('id').where('userId', '=', person.id).execute(),
    ctx.db.selectFrom('mailOutbox').select('id').where('userId', '=', person.id).execute(),
  ]);
  return { notifications: notifications.length, mails: mails.length };
}

it('tells of the messages of a conversation once, until it has been read', async () => {
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

it('tells once of many messages that come at once', async () => {
  const person = await createUser(ctx);
  await Promise.all(Array.from({ length: 8 }, () => messageComes(person)));
  expect(await counts(person)).toEqual({ notifications: 1, mails: 1 });
});

it('mails once, too, to who wants mail alone, until they have looked', async () => {
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

it('says nothing to who wants neither, and keeps the mail from who wants the notification alone', async () => {
  const [neither, inApp] = [await createUser(ctx), await createUser(ctx)];
  await setPreference(actingAs(ctx, neither), { type: 'message', inApp: false, mail: false });
  await setPreference(actingAs(ctx, inApp), { type: 'message', inApp: true, mail: false });
  await messageComes(neither);
  await messageComes(inApp);
  expect(await counts(neither)).toEqual({ notifications: 0, mails: 0 });
  expect(await counts(inApp)).toEqual({ notifications: 1, mails: 0 });
});

it('has open browsers hear of every change, after the commit and of their own person alone', async () => {
  const [person, other] = [await createUser(ctx), await createUser(ctx)];
  const live = openLiveEvents({ url: database.url, log: ctx.log });
  try {
    const line = live.follow(person.id);
    const next = async () => (await line.next()).value;
    expect(await next()).toEqual({ kind: 'resync' });
    const tell = (userId: number, content: string) =>
      inTransaction(ctx.db, (trx) =>
        notify(trx, { userId, type: 'other', content, relatedId: null, link: '/', at: ctx.clock() }),
      );
    const heard = { kind: 'notification' };
    // Each act is heard of once: were one heard twice, or another's at all, a later answer would come too early.
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
