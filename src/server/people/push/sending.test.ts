import { beforeEach, describe, expect, it } from 'vitest';
import { NOTIFICATION_TYPES, type NotificationType } from '#contract/people/notifications.ts';
import type { Actor } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { inTransaction } from '#server/database/client.ts';
import { setPreference } from '#server/people/notifications/preferences.ts';
import { markRead, notifyAll } from '#server/people/notifications/service.ts';
import * as sessions from '#server/people/sessions/sessions.ts';
import {
  type Push,
  PushDeferred,
  PushGone,
  type PushMessage,
  PushRefused,
} from '#server/providers/push/push.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { ofReader, said } from '#tests/support/said.ts';
import { sendWaitingPushes } from './sending.ts';
import { pushSettings, removeBrowser, sendTest, setQuietHours, subscribe } from './service.ts';

const database = setUpDatabase();
let ctx: TestContext;
/** What a push service answers, and what it was sent. */
let answer: (target: { readonly endpoint: string }) => Error | null;
const sent: (PushMessage & { endpoint: string })[] = [];

beforeEach(async () => {
  const base = createTestContext(database);
  const push: Push = {
    ...base.providers.push,
    async send(target, message) {
      const refusal = answer(target);
      if (refusal) throw refusal;
      sent.push({ ...message, endpoint: target.endpoint });
    },
  };
  ctx = createTestContext(database, { providers: { push } });
  answer = () => null;
  sent.length = 0;
  await ctx.db.deleteFrom('pushSubscriptions').execute();
});

let browsers = 0;
/** Signs a person in on a new browser that gets pushes. */
async function subscribed(person: Actor) {
  browsers += 1;
  const endpoint = `https://fcm.googleapis.com/fcm/send/${browsers}`;
  const { token } = await sessions.startSession(ctx.db, ctx.clock, person.id);
  const keys = { p256dh: 'A'.repeat(87), auth: 'B'.repeat(22) };
  await subscribe(actingAs(ctx, person), { endpoint, keys }, token);
  return { endpoint, token };
}

/** Somebody with one browser that gets pushes. */
async function newPerson() {
  const person = await createUser(ctx);
  return { person, ...(await subscribed(person)) };
}

const SECRET = {
  content: said(
    'ada wrote “See you at 5”. Pay $12.50 CAD for “Soup” with the code SOUP-1234, or write to ada@example.org.',
  ),
  relatedId: 3,
};

function tell(person: Actor, type: NotificationType = 'other', link = '/my-bids?open=3') {
  const notice = { ...SECRET, userId: person.id, type, link, at: ctx.clock() };
  return inTransaction(ctx.db, (trx) => notifyAll(trx, [notice]));
}

const send = () => sendWaitingPushes(ctx);
const waiting = async () =>
  Number(
    (
      await ctx.db
        .selectFrom('pushOutbox')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirst()
    )?.count,
  );
const hours = (count: number) => ctx.clock.advanceDays(count / 24);

describe('the pushes about news', () => {
  it('say of every kind what happened, and nothing of it', async () => {
    const { person } = await newPerson();
    const kinds = NOTIFICATION_TYPES.filter((type) => type !== 'weekly');
    for (const [at, type] of kinds.entries()) await tell(person, type, `/my-bids?open=${at + 1}`);
    expect(await send()).toEqual({ sent: kinds.length, failed: 0 });
    const payloads = sent
      .map(({ payload }) => JSON.parse(payload))
      .sort((a, b) => a.path.localeCompare(b.path));
    expect(payloads.map(({ title }) => title)).toEqual([
      'You have a new exchange request',
      'Your exchange was accepted',
      'Your exchange was declined',
      'Your exchange is complete',
      'You have a new message',
      'A coupon on your wish list is here',
      'We found an exchange for you',
      'News from ClipSwap',
    ]);
    for (const payload of payloads) {
      expect(Object.keys(payload).sort()).toEqual(['body', 'path', 'tag', 'title']);
      expect(payload.body).toMatch(/^[A-Z][^“$@\d]+\.$/);
      expect(payload.path).toMatch(/^\/my-bids\?open=\d$/);
      expect(JSON.stringify(payload)).not.toMatch(/ada|Soup|SOUP|12\.50|CAD|@/);
    }
    expect(new Set(sent.map(({ topic }) => topic)).size).toBe(kinds.length);
    expect(sent.filter(({ topic }) => !/^[0-9a-f]{32}$/.test(topic))).toEqual([]);
    expect(sent.map(({ urgency }) => urgency).sort()).toEqual([
      ...Array(2).fill('low'),
      ...Array(6).fill('normal'),
    ]);
    expect(sent[0]?.ttlSeconds).toBe(24 * 3_600);
  });

  it('go once to each browser of the person, and to nobody else', async () => {
    const { person, endpoint } = await newPerson();
    const second = await subscribed(person);
    await newPerson();
    await tell(person);
    expect(await send()).toEqual({ sent: 2, failed: 0 });
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(sent.map((one) => one.endpoint).sort()).toEqual([endpoint, second.endpoint].sort());
    const { browsers } = await pushSettings(actingAs(ctx, person), second.token);
    expect(browsers).toMatchObject([
      { isCurrent: true, lastUsedAt: ctx.clock().toISOString() },
      { isCurrent: false, lastUsedAt: ctx.clock().toISOString() },
    ]);
  });

  it('are written as the person chose, and only with what happened', async () => {
    const { person } = await newPerson();
    const member = actingAs(ctx, person);
    await setPreference(member, { type: 'want', inApp: true, mail: true, push: false });
    // A program that does not know the choice leaves it as it is.
    await setPreference(member, { type: 'want', inApp: false, mail: true });
    await tell(person, 'want');
    await setPreference(member, { type: 'match', inApp: false, mail: false, push: true });
    await tell(person, 'match');
    // The second message of a conversation that was not opened since.
    for (const _ of [1, 2]) await tell(person, 'message', '/messages?bid=1');
    await inTransaction(ctx.db, async (trx) => {
      await notifyAll(trx, [{ ...SECRET, userId: person.id, type: 'other', link: '/', at: ctx.clock() }]);
      throw new Error('undone');
    }).catch(() => {});
    await send();
    expect(sent.map(({ payload }) => JSON.parse(payload).title).sort()).toEqual([
      'We found an exchange for you',
      'You have a new message',
    ]);
  });

  it('are not sent once the notification is read, or after a day', async () => {
    const { person } = await newPerson();
    await tell(person);
    const { id } = await ctx.db
      .selectFrom('notifications')
      .select('id')
      .where('userId', '=', person.id)
      .executeTakeFirstOrThrow();
    await markRead(actingAs(ctx, person), id);
    await tell(person, 'other', '/my-bids?open=4');
    hours(24.1);
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect(await waiting()).toBe(0);
  });
});

describe('the push services', () => {
  it.each([
    [null, [0, 1, 6, 21, 81, 261]],
    [600, [0, 10, 20, 35, 95, 275]],
  ])('that fail are asked again, ever later, then no more (Retry-After: %s)', async (retryAfter, due) => {
    const { person } = await newPerson();
    await tell(person);
    answer = () => new PushDeferred('away', { retryAfter });
    const tries = [];
    for (let minute = 0; minute < 300; minute += 1) {
      if ((await send()).failed > 0) tries.push(minute);
      hours(1 / 60);
    }
    expect(tries).toEqual(due);
    expect(await waiting()).toBe(0);
    expect((await pushSettings(actingAs(ctx, person), null)).browsers).toHaveLength(1);
  });

  it('that refuse a push are not asked again; a browser that is gone is removed', async () => {
    const { person, endpoint } = await newPerson();
    const gone = await subscribed(person);
    await tell(person);
    await tell(person, 'match', '/matches');
    answer = (target) =>
      target.endpoint === gone.endpoint ? new PushGone('gone') : new PushRefused('too large');
    expect(await send()).toMatchObject({ sent: 0 });
    expect(await waiting()).toBe(0);
    const left = await ctx.db.selectFrom('pushSubscriptions').select('endpoint').execute();
    expect(left).toEqual([{ endpoint }]);
  });
});

it('a push is in the language that its receiver has when it is sent', async () => {
  const { person } = await newPerson();
  const notice = { ...SECRET, userId: person.id, type: 'other' as const, link: '/', at: ctx.clock() };
  await inTransaction(ctx.db, (trx) => notifyAll(trx, [{ ...notice, mailSubject: ofReader() }]));
  await ctx.db.updateTable('users').set({ language: 'fr' }).where('id', '=', person.id).execute();
  await send();
  expect(JSON.parse(sent[0]?.payload ?? '').title).toBe('In fr');
});

describe('in quiet hours', () => {
  it.each([
    // Noon UTC is 5 in the morning there.
    { from: '22:00', to: '07:00', waits: 2 },
    { from: '04:00', to: '06:30', waits: 1.5 },
    { from: '06:00', to: '04:30', waits: 0 },
    { from: '05:00', to: '04:59', waits: 24 - 1 / 60 },
  ])('from $from to $to pushes wait until they end', async ({ from, to, waits }) => {
    const { person } = await newPerson();
    ctx.clock.set(new Date('2035-06-15T12:00:00Z'));
    await setQuietHours(actingAs(ctx, person), { from, to, timeZone: 'America/Vancouver' });
    await tell(person);
    expect((await send()).sent).toBe(waits === 0 ? 1 : 0);
    if (waits === 0) return;
    hours(waits - 1 / 60);
    expect((await send()).sent).toBe(0);
    hours(1 / 60);
    expect((await send()).sent).toBe(1);
  });

  it('what was read meanwhile is dropped, a test comes at once, and other hours count at once', async () => {
    const { person } = await newPerson();
    const member = actingAs(ctx, person);
    await setQuietHours(member, { from: '00:00', to: '23:00', timeZone: 'UTC' });
    await tell(person);
    await tell(person, 'match', '/matches');
    await sendTest(member);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(JSON.parse(sent[0]?.payload ?? '').title).toBe('Push notifications work');
    await ctx.db.updateTable('notifications').set({ isRead: true }).where('type', '=', 'match').execute();
    await setQuietHours(member, null);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(await waiting()).toBe(0);
  });

  it('the zone is one that the database knows', async () => {
    const { person } = await newPerson();
    const hoursOf = (timeZone: string) =>
      setQuietHours(actingAs(ctx, person), { from: '22:00', to: '07:00', timeZone });
    await hoursOf('Asia/Kolkata');
    await expect(hoursOf('Mars/Olympus')).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'quietHours.timeZone' }],
    });
    expect((await pushSettings(actingAs(ctx, person), null)).quietHours).toEqual({
      from: '22:00',
      to: '07:00',
      timeZone: 'Asia/Kolkata',
    });
  });
});

describe('the pushes of a browser', () => {
  it('end with its session, and move to who signs in there next', async () => {
    const { person, token, endpoint } = await newPerson();
    const other = await subscribed(person);
    const { number } = await ctx.db
      .selectFrom('sessions')
      .select('number')
      .where('id', '=', sha256(other.token))
      .executeTakeFirstOrThrow();
    await sessions.endOneSession(actingAs(ctx, person), number, token);
    await tell(person);
    expect(await send()).toEqual({ sent: 1, failed: 0 });

    const next = await createUser(ctx);
    const session = await sessions.startSession(ctx.db, ctx.clock, next.id);
    const keys = { p256dh: 'A'.repeat(87), auth: 'B'.repeat(22) };
    await subscribe(actingAs(ctx, next), { endpoint, keys }, session.token);
    await tell(person, 'match', '/matches');
    expect(await waiting()).toBe(0);
    expect((await pushSettings(actingAs(ctx, next), session.token)).browsers).toHaveLength(1);
    await sessions.endSessionsOf(ctx.db, next.id);
    expect(await ctx.db.selectFrom('pushSubscriptions').selectAll().execute()).toEqual([]);
  });

  it('are ended by nobody else', async () => {
    const { person, token } = await newPerson();
    const [browser] = (await pushSettings(actingAs(ctx, person), token)).browsers;
    const stranger = actingAs(ctx, await createUser(ctx));
    await expect(removeBrowser(stranger, browser?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' });
    await removeBrowser(actingAs(ctx, person), browser?.id ?? 0);
    expect((await pushSettings(actingAs(ctx, person), token)).browsers).toEqual([]);
  });

  it('go on after a new password', async () => {
    const { person, token } = await newPerson();
    const member = actingAs(ctx, person);
    const renewed = await inTransaction(ctx.db, (trx) => sessions.restartSession(trx, member, token));
    expect((await pushSettings(member, renewed.token)).browsers).toMatchObject([{ isCurrent: true }]);
  });

  it('are for ten of them: the oldest makes room', async () => {
    const { person, token } = await newPerson();
    for (let count = 0; count < 10; count += 1) await subscribed(person);
    const { browsers } = await pushSettings(actingAs(ctx, person), token);
    expect(browsers).toHaveLength(10);
    expect(browsers.some(({ isCurrent }) => isCurrent)).toBe(false);
  });

  it('go to no address that is not a push service’s, and for no session that has ended', async () => {
    const { person } = await newPerson();
    const keys = { p256dh: 'A'.repeat(87), auth: 'B'.repeat(22) };
    const to = (endpoint: string, token = 'ended') =>
      subscribe(actingAs(ctx, person), { endpoint, keys }, token);
    await expect(to('https://169.254.169.254/')).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'endpoint' }],
    });
    await expect(to('https://web.push.apple.com/1')).rejects.toMatchObject({ code: 'unauthorized' });
    const someoneElse = await sessions.startSession(ctx.db, ctx.clock, (await createUser(ctx)).id);
    await expect(to('https://web.push.apple.com/1', someoneElse.token)).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });
});
