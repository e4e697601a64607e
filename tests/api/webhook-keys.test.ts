import { describe, expect, it } from 'vitest';
import type { ApiScope } from '#contract/people/api-keys.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/people/webhooks.ts';
import type { Actor } from '#server/context/context.ts';
import { createApiKey, scopesFor } from '#tests/support/api-keys.ts';
import { setUpApp, type TestCall } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';

/** Webhooks that programs add by a key: what they may be told, and what is left of them when the key ends. */

const test = setUpApp({
  providers: {
    webhooks: { problemOf: async () => null, send: async () => ({ status: 200, problem: null }) },
  },
});

/** What a key must be able to read for each kind of event. */
const READS: Record<string, ApiScope> = {
  bid: 'deals:read',
  exchange: 'deals:read',
  rating: 'deals:read',
  claim: 'deals:read',
  message: 'messages:read',
  payment: 'payments:read',
  payout: 'payments:read',
  wish: 'coupons:read',
};
const body = (event: WebhookEvent) => ({ url: 'https://program.example/hook', events: [event] });
const add = async (headers: TestCall['headers'], event: WebhookEvent): Promise<number> => {
  const answer = await test.call(null, { method: 'POST', url: '/api/webhooks', body: body(event), headers });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().id;
};
const idsOf = async (who: Actor) =>
  (await test.call(who, { method: 'GET', url: '/api/webhooks' })).json().map(({ id }: { id: number }) => id);

describe('a key', () => {
  it.each(WEBHOOK_EVENTS)('needs the scope that reads what %s tells', async (event) => {
    const needed = READS[event.split('.')[0] ?? ''] as ApiScope;
    const person = await createUser(test.ctx);
    const whole = await createApiKey(test.ctx, person, {
      scopes: ['webhooks:read', 'webhooks:write', needed],
    });
    const others = scopesFor(person).filter((scope) => scope !== needed);
    const without = await createApiKey(test.ctx, person, { scopes: others });
    const url = `/api/webhooks/${await add(whole.header, event)}`;
    const calls: TestCall[] = [
      { method: 'POST', url: '/api/webhooks', body: body(event) },
      { method: 'PATCH', url, body: { isOn: true } },
      { method: 'POST', url: `${url}/secret` },
      { method: 'POST', url: `${url}/test` },
      { method: 'GET', url: `${url}/deliveries` },
      { method: 'POST', url: `${url}/deliveries/999999/again` },
    ];
    for (const call of calls) {
      const refused = await test.call(null, { ...call, headers: without.header });
      expect([refused.statusCode, refused.json().error], call.url).toEqual([
        403,
        `This key has no scope for it. Make a key with ${needed} in your settings.`,
      ]);
      const answer = await test.call(null, { ...call, headers: whole.header });
      // There is nothing to send again.
      expect(answer.statusCode, call.url).toBeOneOf(call.url.endsWith('again') ? [404] : [200, 201]);
    }
    // It can be seen to be there, and removed.
    const removed = await test.call(null, { method: 'DELETE', url, headers: without.header });
    expect(removed.statusCode).toBe(200);
  });

  it('cannot have more sent than it may read', async () => {
    const person = await createUser(test.ctx);
    const { header: headers } = await createApiKey(test.ctx, person, {
      scopes: ['webhooks:write', 'coupons:read'],
    });
    const call = {
      method: 'PATCH',
      url: `/api/webhooks/${await add(headers, 'wish.found')}`,
      headers,
    } as const;
    expect((await test.call(null, { ...call, body: { isOn: true } })).statusCode).toBe(200);
    const wider = await test.call(null, { ...call, body: { events: ['message.received'] } });
    expect(wider.statusCode).toBe(403);
  });

  it('with the scope of webhooks alone does not get an admin the events of everybody', async () => {
    const admin = await createUser(test.ctx, { role: 'admin' });
    const call = {
      method: 'POST',
      url: '/api/webhooks',
      body: { ...body('bid.placed'), isForAll: true },
    } as const;
    const by = async (scopes: ApiScope[]) =>
      test.call(null, { ...call, headers: (await createApiKey(test.ctx, admin, { scopes })).header });
    const refused = await by(['webhooks:write', 'deals:read', 'admin:write']);
    expect([refused.statusCode, refused.json().error]).toEqual([
      403,
      'A key gets the events of everyone only with the scope admin:read.',
    ]);
    expect((await by(['webhooks:write', 'deals:read', 'admin:read'])).statusCode).toBe(201);
  });
});

describe('when a key is revoked', () => {
  const revoke = (who: Actor, id: number, given?: object) =>
    test.call(who, { method: 'DELETE', url: `/api/user/keys/${id}`, ...(given && { body: given }) });
  const keysOf = async (who: Actor) =>
    (await test.call(who, { method: 'GET', url: '/api/user/keys' })).json();

  it('its owner sees which webhooks it has added, and removes them with it or keeps them', async () => {
    const person = await createUser(test.ctx);
    const [kept, removed] = [await createApiKey(test.ctx, person), await createApiKey(test.ctx, person)];
    const stays = await add(kept.header, 'bid.placed');
    await add(removed.header, 'bid.placed');
    const own = await test.call(person, { method: 'POST', url: '/api/webhooks', body: body('bid.placed') });
    expect((await keysOf(person)).map(({ webhooks }: { webhooks: string[] }) => webhooks)).toEqual([
      ['https://program.example/hook'],
      ['https://program.example/hook'],
    ]);
    expect((await revoke(person, removed.id, { removesWebhooks: true })).statusCode).toBe(200);
    expect((await revoke(person, kept.id)).statusCode).toBe(200);
    expect(await idsOf(person)).toEqual([stays, own.json().id]);
  });

  it('nobody else’s webhooks go', async () => {
    const [person, stranger] = [await createUser(test.ctx), await createUser(test.ctx)];
    const { id, header } = await createApiKey(test.ctx, person);
    const webhook = await add(header, 'bid.placed');
    expect((await revoke(stranger, id, { removesWebhooks: true })).statusCode).toBe(404);
    expect(await idsOf(person)).toEqual([webhook]);
  });
});
