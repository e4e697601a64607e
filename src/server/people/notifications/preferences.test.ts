import { describe, expect, it } from 'vitest';
import type { NotificationType } from '#contract/people/notifications.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { said } from '#tests/support/said.ts';
import { listPreferences, setPreference, unsubscribe, unsubscribeToken } from './preferences.ts';
import { notifyAll } from './service.ts';

const ctx = setUpContext();

const wish = (type: NotificationType, inApp: boolean, mail: boolean) => ({ type, inApp, mail, push: true });

/** The person's notifications and mails; mails are marked as such. */
async function receivedBy(person: Actor): Promise<string[]> {
  const notifications = await ctx.db
    .selectFrom('notifications')
    .select('content')
    .where('userId', '=', person.id)
    .orderBy('id')
    .execute();
  const mails = await ctx.db
    .selectFrom('mailOutbox')
    .select(['body', 'notificationId'])
    .where('userId', '=', person.id)
    .orderBy('id')
    .execute();
  return [
    ...notifications.map(({ content }) => content),
    ...mails.map(({ body, notificationId }) => `mail${notificationId === null ? ' alone' : ''}: ${body}`),
  ];
}

describe('preferences', () => {
  it('list all nine kinds of news in a fixed order, all switched on by default [spec/1 3.22] [spec/2 3.7]', async () => {
    const person = actingAs(ctx, await createUser(ctx));
    const before = await listPreferences(person);
    expect(before).toEqual([
      wish('exchange_request', true, true),
      wish('exchange_accepted', true, true),
      wish('exchange_rejected', true, true),
      wish('exchange_completed', true, true),
      wish('message', true, true),
      wish('want', true, true),
      wish('match', true, true),
      wish('other', true, true),
      wish('weekly', true, true),
    ]);
    const after = await setPreference(person, wish('message', false, true));
    expect(after).toEqual(before.map((one) => (one.type === 'message' ? wish('message', false, true) : one)));
    await setPreference(person, wish('message', true, false));
    expect((await listPreferences(person))[4]).toEqual(wish('message', true, false));
  });

  it('decide what is written: both, only the notification, only the mail, or nothing', async () => {
    const [both, inApp, mail, none] = [
      await createUser(ctx),
      await createUser(ctx),
      await createUser(ctx),
      await createUser(ctx),
    ];
    await setPreference(actingAs(ctx, inApp), wish('other', true, false));
    await setPreference(actingAs(ctx, mail), wish('other', false, true));
    await setPreference(actingAs(ctx, none), wish('other', false, false));
    const at = ctx.clock();
    const notices = [both, inApp, mail, none].flatMap(({ id, username }) => [
      {
        userId: id,
        type: 'other' as const,
        content: said(`For ${username}`),
        relatedId: null,
        link: '/',
        at,
      },
      {
        userId: id,
        type: 'message' as const,
        content: said('Unasked'),
        relatedId: null,
        link: '/messages',
        at,
      },
    ]);
    await inTransaction(ctx.db, (trx) => notifyAll(trx, notices));
    const unasked = ['Unasked', 'mail: Unasked'];
    const name = ({ username }: Actor) => `For ${username}`;
    expect(await receivedBy(both)).toEqual([name(both), unasked[0], `mail: ${name(both)}`, unasked[1]]);
    expect(await receivedBy(inApp)).toEqual([name(inApp), ...unasked]);
    expect(await receivedBy(mail)).toEqual([unasked[0], `mail alone: ${name(mail)}`, unasked[1]]);
    expect(await receivedBy(none)).toEqual(unasked);
  });
});

describe('the unsubscribe link', () => {
  it('switches off that mail for that person and nothing else; may be repeated', async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    await setPreference(actingAs(ctx, person), wish('message', false, true));
    const token = unsubscribeToken(ctx, { userId: person.id, type: 'message' });
    expect(await unsubscribe(ctx, { token })).toEqual({ type: 'message' });
    expect(await unsubscribe(ctx, { token })).toEqual({ type: 'message' });
    const wishes = await listPreferences(actingAs(ctx, person));
    expect(wishes.filter(({ inApp, mail }) => !inApp || !mail)).toEqual([wish('message', false, false)]);
    expect((await listPreferences(actingAs(ctx, other))).every(({ mail }) => mail)).toBe(true);
    await unsubscribe(ctx, { token: unsubscribeToken(ctx, { userId: person.id, type: 'other' }) });
    expect((await listPreferences(actingAs(ctx, person)))[7]).toEqual(wish('other', true, false));
  });

  it('refuses every changed token', async () => {
    const [person, other] = [await createUser(ctx), await createUser(ctx)];
    const token = unsubscribeToken(ctx, { userId: person.id, type: 'message' });
    const seal = token.split('.')[2] ?? '';
    const forged = [
      `${other.id}.message.${seal}`,
      `${person.id}.other.${seal}`,
      `${person.id}.constructor.${seal}`,
      `0${person.id}.message.${seal}`,
      `${person.id}.message.${seal.toUpperCase()}`,
      `${person.id}.message.${(seal.startsWith('0') ? '1' : '0') + seal.slice(1)}`,
      `${person.id}.message.${ctx.vault.fingerprint(`${person.id}.message`)}`,
      `${token}0`,
      token.slice(0, -1),
      ` ${token}`,
      'a',
    ];
    for (const one of forged) {
      await expect(unsubscribe(ctx, { token: one }), one).rejects.toMatchObject({
        code: 'bad_input',
        issues: [{ path: 'token' }],
      });
    }
    const rows = await ctx.db
      .selectFrom('notificationPreferences')
      .select('userId')
      .where('userId', 'in', [person.id, other.id])
      .execute();
    expect(rows).toEqual([]);
  });

  it('does nothing for a deleted account', async () => {
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    for (const userId of [gone.id, 2_000_000_000]) {
      const token = unsubscribeToken(ctx, { userId, type: 'other' });
      expect(await unsubscribe(ctx, { token })).toEqual({ type: 'other' });
    }
    expect(
      await ctx.db.selectFrom('notificationPreferences').where('userId', '=', gone.id).execute(),
    ).toEqual([]);
  });
});
