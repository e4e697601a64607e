import { describe, expect, it } from 'vitest';
import { REQUEST_MINUTES, REQUESTS_AT_MOST } from '#contract/people/assistant-requests.ts';
import type { Actor } from '#server/context/context.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { connectAssistant } from '#tests/support/assistants.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { propose, twoPeople } from '#tests/support/exchanges.ts';

/** What an assistant asks of its person, and who may confirm it how often. */

const test = setUpApp();

async function assistantOf(person: Actor, name = 'Robot') {
  const key = await createApiKey(test.ctx, person, { name });
  return { key, ...(await connectAssistant(test, key.token)) };
}

/** A swap that waits for its owner, whose assistant has asked them to accept it. */
async function askedToAccept() {
  const people = await twoPeople(test.ctx);
  const exchange = await propose(test.ctx, people.requester, people);
  const assistant = await assistantOf(people.owner);
  const ask = () => assistant.call('ask_my_person', { act: 'accept_swap', subjectId: exchange.id });
  const answer = await ask();
  return { ...people, exchange, assistant, ask, requestId: Number(Object(answer.json).requestId) };
}

const confirm = (who: Actor | null, id: number, seen: object = {}, headers?: Record<string, string>) =>
  test.trpc(who, 'mutation', 'assistantRequests.confirm', { id, seen }, headers);
const statusOf = async (id: number) =>
  (await test.ctx.db.selectFrom('exchanges').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;

describe('a request', () => {
  it('does nothing until its person confirms it, and then what they have seen, once', async () => {
    const { owner, exchange, requestId, assistant } = await askedToAccept();
    expect(await statusOf(exchange.id)).toBe('pending');
    const [notice] = (await test.trpc(owner, 'query', 'notifications.list', {})).json().result.data.items;
    expect(notice).toMatchObject({
      content: 'Robot asks you to accept a swap. You have 10 minutes to answer.',
      link: `/assistant-requests/${requestId}`,
    });
    const answers = await Promise.all([confirm(owner, requestId), confirm(owner, requestId)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await statusOf(exchange.id)).toBe('accepted');
    expect((await assistant.call('get_request', { requestId })).json).toMatchObject({ state: 'confirmed' });
    const replayed = await confirm(owner, requestId);
    expect([replayed.statusCode, replayed.json().error.data.wire.error]).toEqual([
      409,
      'You have confirmed this already.',
    ]);
  });

  it('is confirmed by no key, not even that of all scopes, and by nobody else', async () => {
    const { owner, requester, exchange, requestId, assistant } = await askedToAccept();
    expect((await confirm(null, requestId, {}, assistant.key.header)).statusCode).toBe(403);
    expect((await confirm(requester, requestId)).statusCode).toBe(404);
    const other = await assistantOf(owner, 'Other robot');
    expect((await other.call('get_request', { requestId })).json).toMatchObject({ code: 'not_found' });
    expect(await statusOf(exchange.id)).toBe('pending');
  });

  it('is refused where the person has seen another deal, and waits on', async () => {
    const { owner, exchange, requestId } = await askedToAccept();
    const refused = await confirm(owner, requestId, { couponIds: [exchange.offeredCoupon.id] });
    expect([refused.statusCode, refused.json().error.data.wire.code]).toEqual([409, 'deal_changed']);
    expect(await statusOf(exchange.id)).toBe('pending');
    expect((await confirm(owner, requestId)).statusCode).toBe(200);
  });

  it('is done with the rights that the person has when they confirm it', async () => {
    const { owner, exchange, requestId } = await askedToAccept();
    await test.ctx.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', owner.id).execute();
    expect((await confirm(owner, requestId)).statusCode).toBe(403);
    expect(await statusOf(exchange.id)).toBe('pending');
  });

  it('ends by a decline, by its time, and with its key', async () => {
    const declined = await askedToAccept();
    const { owner } = declined;
    await test.trpc(owner, 'mutation', 'assistantRequests.decline', { id: declined.requestId });
    expect((await confirm(owner, declined.requestId)).statusCode).toBe(409);
    const again = Number(Object((await declined.ask()).json).requestId);
    test.ctx.clock.advanceDays(REQUEST_MINUTES / (24 * 60));
    const late = await confirm(owner, again);
    expect([late.statusCode, late.json().error.data.wire.error]).toEqual([
      409,
      expect.stringContaining('expired'),
    ]);
    const last = Number(Object((await declined.ask()).json).requestId);
    await test.trpc(owner, 'mutation', 'apiKeys.revoke', { id: declined.assistant.key.id });
    expect((await confirm(owner, last)).statusCode).toBe(404);
    expect(await statusOf(declined.exchange.id)).toBe('pending');
  });

  it(`waits beside at most ${REQUESTS_AT_MOST - 1} others`, async () => {
    const { ask } = await askedToAccept();
    for (let count = 1; count < REQUESTS_AT_MOST; count += 1) expect((await ask()).isError).toBe(false);
    expect((await ask()).json).toMatchObject({ code: 'conflict' });
  });

  it('sends the message that the person has read, in their name', async () => {
    const { owner, exchange, assistant } = await askedToAccept();
    const asked = await assistant.call('ask_my_person', {
      act: 'write_in_swap',
      subjectId: exchange.id,
      message: 'Gladly, on Monday?',
    });
    const messages = () =>
      test.ctx.db
        .selectFrom('messages')
        .select(['senderId', 'content'])
        .where('exchangeId', '=', exchange.id)
        .execute();
    expect(await messages()).toEqual([]);
    await confirm(owner, Number(Object(asked.json).requestId));
    expect(await messages()).toEqual([{ senderId: owner.id, content: 'Gladly, on Monday?' }]);
  });

  it.each([
    [{ act: 'write_in_swap', subjectId: 1 }],
    [{ act: 'accept_swap', subjectId: 1, message: 'Hello' }],
  ])('names the message where it is missing or too much: %o', async (input) => {
    const { call } = await assistantOf(await createUser(test.ctx));
    expect((await call('ask_my_person', input)).json).toMatchObject({ code: 'bad_input' });
  });
});

it('an assistant from an empty start finds a coupon, proposes a swap, is refused the code, and is confirmed', async () => {
  const [me, other] = [await createUser(test.ctx), await createUser(test.ctx)];
  const own = await createCoupon(test.ctx, me);
  const wanted = await createCoupon(test.ctx, other, { title: 'Persimmon cake', code: 'SECRET-CAKE-99' });
  const { call, key } = await assistantOf(me);
  const said: string[] = [];
  const use = async (name: string, args: Record<string, unknown>) => {
    const answer = await call(name, args);
    said.push(answer.text);
    return Object(answer.json);
  };
  const [found] = (await use('search_coupons', { search: 'persimmon' })).items;
  const swap = await use('propose_swap', { requestedCouponIds: [found.id], offeredCouponIds: [own.id] });
  await test.trpc(other, 'mutation', 'exchanges.setStatus', { id: swap.id, status: 'accepted' });
  expect(await use('deals_waiting', {})).toMatchObject([{ id: swap.id, nextAct: 'complete' }]);
  const complete = await use('ask_my_person', { act: 'complete_swap', subjectId: swap.id });
  expect((await confirm(me, complete.requestId)).statusCode).toBe(200);
  expect(await statusOf(swap.id)).toBe('completed');
  // The code is the person's now, and stays theirs alone.
  const show = await use('ask_my_person', { act: 'show_code', subjectId: wanted.id });
  const confirmed = await confirm(me, show.requestId);
  said.push(confirmed.body);
  expect(await use('get_request', { requestId: show.requestId })).toMatchObject({ state: 'confirmed' });
  await use('get_coupon', { couponId: wanted.id });
  await use('my_coupons', {});
  expect(said.join()).not.toMatch(/SECRET|CAKE-99/);
  const revealed = await test.trpc(me, 'mutation', 'coupons.reveal', { id: wanted.id });
  expect(revealed.json().result.data.code).toBe('SECRET-CAKE-99');
  expect(key.token).toMatch(/^clipswap_/);
});
