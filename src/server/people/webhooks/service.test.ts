import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { internet } from '#server/providers/guarded-network.ts';
import { openWebhooks } from '#server/providers/webhooks/open-webhooks.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { signaturesOf } from './secrets.ts';
import { createWebhook, listWebhooks, renewSecret, sendAgain, sendTest, updateWebhook } from './service.ts';

const database = setUpDatabase();
const hosts: Record<string, string[]> = {
  'shop.example': ['93.184.216.34'],
  'inside.example': ['10.0.0.7'],
};
const network = { ...internet, resolve: async (name: string) => hosts[name] ?? [] };
let ctx: TestContext;
beforeAll(() => {
  ctx = createTestContext(database, { providers: { webhooks: openWebhooks({ network }) } });
});
const GIVEN = { url: 'https://shop.example/hook', events: ['bid.placed' as const], isForAll: false };
const create = (person: Actor, given: Partial<Parameters<typeof createWebhook>[1]> = {}) =>
  createWebhook(actingAs(ctx, person), { ...GIVEN, ...given });

it.each([
  ['http://shop.example/hook', 'Must begin with https://'],
  ['https://inside.example/hook', 'Must be an address that everyone on the internet can reach'],
])('refuses the address %s, new or changed, and names the field', async (url, message) => {
  const person = await createUser(ctx);
  const refusal = { code: 'bad_input', status: 400, issues: [{ path: 'url', message }] };
  await expect(create(person, { url })).rejects.toMatchObject(refusal);
  const { id } = await create(person);
  await expect(updateWebhook(actingAs(ctx, person), { id, url })).rejects.toMatchObject(refusal);
});

it('keeps the secret sealed, and shows it when it is made or renewed only', async () => {
  const person = await createUser(ctx);
  const { id, secret } = await create(person);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret: renewed } = await renewSecret(actingAs(ctx, person), id);
  expect(renewed).not.toBe(secret);
  const [webhook] = await listWebhooks(actingAs(ctx, person));
  expect(webhook).toEqual({
    ...GIVEN,
    id,
    createdAt: ctx.clock().toISOString(),
    failingSince: null,
    disabledAt: null,
    oldSecretUntil: '2035-06-16T12:00:00.000Z',
  });
  const row = await ctx.db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  for (const text of [secret, renewed])
    for (const encoding of ['utf8', 'base64'] as const)
      expect(`${row.secret.toString(encoding)} ${row.oldSecret?.toString(encoding)}`).not.toContain(
        text.slice(6, 30),
      );
});

it('tells its owner by a mail about the safety of the account, with no word of what did not change', async () => {
  const person = await createUser(ctx);
  const me = actingAs(ctx, person);
  const { id } = await create(person);
  await updateWebhook(me, { id, url: 'https://shop.example/other' });
  await updateWebhook(me, { id, events: ['bid.accepted'], isOn: false });
  await renewSecret(me, id);
  const mails = ctx.db.selectFrom('mailOutbox').select(['kind', 'body']).where('userId', '=', person.id);
  const sent = await mails.orderBy('id').execute();
  expect(sent.map(({ kind }) => kind)).toEqual(['webhook', 'webhook', 'webhook']);
  expect(sent.map(({ body }) => /was added|was changed|new secret/.exec(body)?.[0])).toEqual([
    'was added',
    'was changed',
    'new secret',
  ]);
});

it('signs by the secret and the one before it, which open for their address alone', async () => {
  const person = await createUser(ctx);
  const { id } = await create(person);
  await renewSecret(actingAs(ctx, person), id);
  const row = await ctx.db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const delivery = { ...row, endpointId: id, eventId: 'msg_1', body: '{}', attempts: 1 };
  expect((await signaturesOf(ctx, delivery, ctx.clock())).split(' ')).toHaveLength(2);
  const wrong = signaturesOf(ctx, { ...delivery, endpointId: id + 1 }, ctx.clock());
  await expect(wrong).rejects.toThrow(ClosedError);
});

it('takes ten addresses of a person, also of calls at once', async () => {
  const person = await createUser(ctx);
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => create(person)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await expect(create(person)).rejects.toMatchObject({ code: 'conflict' });
});

it('lets admins alone ask for the events of everybody', async () => {
  const [person, admin] = [await createUser(ctx), await createUser(ctx, { role: 'admin' })];
  await expect(create(person, { isForAll: true })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await create(admin, { isForAll: true })).toMatchObject({ secret: expect.any(String) });
});

it('sends nothing again that was sent to another address', async () => {
  const person = await createUser(ctx);
  const me = actingAs(ctx, person);
  const [first, second] = [await create(person), await create(person)];
  await sendTest(me, first.id);
  const { id: deliveryId } = await ctx.db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('endpointId', '=', first.id)
    .executeTakeFirstOrThrow();
  await expect(sendAgain(me, { id: second.id, deliveryId })).rejects.toMatchObject({ code: 'not_found' });
});
