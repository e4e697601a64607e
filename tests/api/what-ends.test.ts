import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { knownDevice } from '#server/people/accounts/devices.ts';
import { ownerOfToken, renewToken } from '#server/people/private-addresses/service.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import {
  actingAs,
  createCoupon,
  createIdentity,
  createPasskey,
  createUser,
  TEST_PASSWORD,
} from '#tests/support/builders.ts';
import { NEW_PASSWORD, setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { openPasskeys } from '#tests/support/passkeys.ts';

/** What outlives a session, and which act ends it. docs/security.md has the table that this test makes. */

const links = setUpMailedLinks();
type Person = Awaited<ReturnType<typeof withEverything>>;

/** Somebody who is signed in twice and has one of everything. */
async function withEverything() {
  const { ctx } = links.test;
  const asked = openPasskeys(links.test);
  const user = await createUser(ctx);
  const [here, elsewhere] = [await asked.signedIn(user), await asked.signedIn(user)];
  await links.emptyBoxes();
  await asked.signedIn(user);
  const notMe = await links.mailedToken(`${user.username}@example.org`, '/not-me');
  const at = ctx.clock();
  const of = { userId: user.id, createdAt: at };
  const earlier = new Date(at.getTime() - 86_400_000);
  const sessions = await ctx.db
    .updateTable('sessions')
    .set({ confirmedAt: at })
    .where('userId', '=', user.id)
    .returning(['id', 'number'])
    .execute();
  const [, other] = sessions.sort((one, two) => one.number - two.number);
  if (!other) throw new Error('There are no sessions');
  await ctx.db
    .insertInto('pushSubscriptions')
    .values({
      ...of,
      sessionId: other.id,
      endpoint: `https://push.example/${user.id}`,
      p256dh: 'p'.repeat(87),
      auth: 'a'.repeat(22),
    })
    .execute();
  await ctx.db
    .insertInto('secondFactors')
    .values({ userId: user.id, secret: Buffer.from('s'), enabledAt: earlier, createdAt: earlier })
    .execute();
  await ctx.db
    .insertInto('recoveryCodes')
    .values({ ...of, codeHash: 'c'.repeat(64) })
    .execute();
  for (const create of [createPasskey, createIdentity, createApiKey]) await create(ctx, user);
  await ctx.db
    .insertInto('webhookEndpoints')
    .values({
      ...of,
      url: 'https://shop.example/hook',
      secret: Buffer.from('s'),
      events: ['bid.placed'],
      isForAll: false,
    })
    .execute();
  const { id: couponId } = await createCoupon(ctx, user, { code: `MARMALADE-${user.id}` });
  await ctx.db
    .insertInto('walletPasses')
    .values({
      id: String(user.id).padStart(22, '0'),
      couponId,
      holderId: user.id,
      wallet: 'apple',
      addedAt: at,
    })
    .execute();
  await ctx.db
    .insertInto('dataExports')
    .values({
      id: String(user.id).padStart(30, '0'),
      userId: user.id,
      hasCodes: true,
      nextTryAt: at,
      requestedAt: at,
      readyAt: at,
      size: 1,
    })
    .execute();
  await ctx.db
    .insertInto('accountTokens')
    .values({
      ...of,
      purpose: 'reset_password',
      tokenHash: String(user.id).padStart(64, '0'),
      email: 'x@example.org',
      expiresAt: new Date(at.getTime() + 3_600_000),
    })
    .execute();
  await ctx.db
    .updateTable('users')
    .set({ pendingEmail: `other-${user.id}@example.org` })
    .where('id', '=', user.id)
    .execute();
  const me = actingAs(ctx, user);
  const addresses = { calendar: await renewToken(me, 'calendar'), mail: await renewToken(me, 'mail') };
  const device = elsewhere.cookies['clipswap-device'] ?? '';
  return { user, here, notMe, other, addresses, device };
}

const count = async (query: { execute: () => Promise<readonly unknown[]> }) => (await query.execute()).length;
const left = async (query: { execute: () => Promise<readonly unknown[]> }) =>
  (await count(query)) > 0 ? 'stays' : 'ends';
const rowsOf = (
  table: 'passkeys' | 'identities' | 'secondFactors' | 'recoveryCodes' | 'apiKeys' | 'pushSubscriptions',
  { user }: Person,
) => links.test.ctx.db.selectFrom(table).select('userId').where('userId', '=', user.id);
const statusOf = ({ user }: Person) =>
  links.test.ctx.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();

async function address(person: Person, kind: 'calendar' | 'mail') {
  const { db } = links.test.ctx;
  if (await ownerOfToken(db, kind, person.addresses[kind])) return 'stays';
  const rows = db.selectFrom('privateAddresses').select('kind').where('userId', '=', person.user.id);
  return (await count(rows.where('kind', '=', kind))) > 0 ? 'rests' : 'ends';
}

/** What outlives a session, and how it fares. */
const THINGS: Record<string, (person: Person) => Promise<string>> = {
  'the browser that asks, signed in': async ({ here: { cookies } }) =>
    (await links.test.app.inject({ url: '/api/user', cookies })).statusCode === 200 ? 'stays' : 'ends',
  'other sessions, with their pushes and codes kept on the device': async (person) => {
    const { number } = person.other;
    const sessions = await left(
      links.test.ctx.db.selectFrom('sessions').select('id').where('number', '=', number),
    );
    expect(await left(rowsOf('pushSubscriptions', person))).toBe(sessions);
    return sessions;
  },
  'marks of known browsers': async (person) =>
    knownDevice(links.test.ctx, await statusOf(person), person.device) ? 'stays' : 'ends',
  passkeys: (person) => left(rowsOf('passkeys', person)),
  'linked sign-ins (OpenID)': (person) => left(rowsOf('identities', person)),
  'an authenticator app from before, with its recovery codes': async (person) => {
    const factor = await left(rowsOf('secondFactors', person));
    expect(await left(rowsOf('recoveryCodes', person))).toBe(factor);
    return factor;
  },
  'keys of programs': (person) => left(rowsOf('apiKeys', person)),
  webhooks: async (person) => {
    const row = await links.test.ctx.db
      .selectFrom('webhookEndpoints')
      .select('disabledAt')
      .where('userId', '=', person.user.id)
      .executeTakeFirst();
    if (!row) return 'ends';
    if (row.disabledAt) return 'off';
    return (await statusOf(person)).status === 'banned' ? 'rests' : 'stays';
  },
  'the address of the calendar': (person) => address(person, 'calendar'),
  'the address for vouchers by email': (person) => address(person, 'mail'),
  'passes in wallets': ({ user }) =>
    left(
      links.test.ctx.db
        .selectFrom('walletPasses')
        .select('id')
        .where('holderId', '=', user.id)
        .where('voidedAt', 'is', null),
    ),
  'a copy of one’s data': ({ user }) =>
    left(
      links.test.ctx.db
        .selectFrom('dataExports')
        .select('id')
        .where('userId', '=', user.id)
        .where('discardedAt', 'is', null),
    ),
  'mailed links to a new password': ({ user }) => leftOfTokens(user, 'reset_password'),
  'mailed links “This was not me”': ({ user }) => leftOfTokens(user, 'not_me'),
  'an address that waits for confirmation': async (person) =>
    (await statusOf(person)).pendingEmail === null ? 'ends' : 'stays',
};

function leftOfTokens({ id }: Actor, purpose: string) {
  return left(
    links.test.ctx.db
      .selectFrom('accountTokens')
      .select('id')
      .where('userId', '=', id)
      .where('purpose', '=', purpose)
      .where('usedAt', 'is', null)
      .where('revokedAt', 'is', null),
  );
}

/** Every act that ends something, as its person or an admin does it. */
const ACTS: Record<string, (person: Person) => Promise<unknown>> = {
  'Signing out elsewhere': ({ here }) => here.call('endOtherSessions'),
  'A new password in the settings': ({ here }) =>
    here.call('changePassword', {
      currentPassword: TEST_PASSWORD,
      newPassword: NEW_PASSWORD,
      confirmPassword: NEW_PASSWORD,
    }),
  'A new password by email': async ({ user }) => {
    const email = `${user.username}@example.org`;
    await links.askForReset(email);
    return links.chooseNew(await links.mailedToken(email, '/reset-password'));
  },
  '“This was not me”': ({ notMe }) => links.chooseNew(notMe),
  'The factor was lost': async ({ user }) => {
    const admin = await createUser(links.test.ctx, { role: 'admin' });
    return links.post(admin, `/api/admin/users/${user.id}/second-factor/reset`, {
      reason: 'They have shown their passport',
      password: TEST_PASSWORD,
    });
  },
  'A ban': async ({ user }) => {
    const admin = await createUser(links.test.ctx, { role: 'admin' });
    const body = { status: 'banned', reason: 'Sold the same code twice' };
    return links.test.call(admin, { method: 'PATCH', url: `/api/admin/users/${user.id}/status`, body });
  },
  'The account is deleted': ({ here }) => here.call('deleteAccount', { confirmPassword: TEST_PASSWORD }),
};

it('what outlives a session ends as docs/security.md says', async () => {
  const columns: string[][] = [];
  for (const [name, act] of Object.entries(ACTS)) {
    const person = await withEverything();
    for (const [thing, state] of Object.entries(THINGS)) expect(await state(person), thing).toBe('stays');
    const answer = (await act(person)) as { status?: number; statusCode?: number };
    expect(answer.status ?? answer.statusCode, name).toBe(200);
    const states = Object.values(THINGS).map((state) => state(person));
    columns.push([name, ...(await Promise.all(states))]);
  }
  const rows = ['', ...Object.keys(THINGS)].map((thing, index) => [
    thing,
    ...columns.map((column) => column[index] ?? ''),
  ]);
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const table = [head, `|${' --- |'.repeat(columns.length + 1)}`, ...body].join('\n');
  expect(await readFile('docs/security.md', 'utf8')).toContain(table);
});
