import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addSeconds } from '#server/core/clock.ts';
import type { WebhookAnswer } from '#server/providers/webhooks/webhooks.ts';
import { actingAs } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { openReceivers, TAKEN } from '#tests/support/webhooks.ts';
import { forgetOldDeliveries, sendDeliveries } from './sending.ts';
import { listWebhooks, sendAgain, sendTest, updateWebhook } from './service.ts';
import { claimDue, insertDelivery } from './store.ts';

const BROKEN: WebhookAnswer = { status: 500, problem: 'refused' };

const database = setUpDatabase();
let receivers: ReturnType<typeof openReceivers>;
beforeEach(async () => {
  receivers = openReceivers(database);
  await receivers.ctx.db.deleteFrom('webhookEndpoints').execute();
});

const mailsTo = (person: Actor) =>
  receivers.ctx.db
    .selectFrom('mailOutbox')
    .select(['body', 'link'])
    .where('kind', '=', 'webhook_off')
    .where('userId', '=', person.id)
    .execute();

describe('sending', () => {
  it('tries again for a day with the same id and body, then gives up', async () => {
    const { ctx, sent, someone, send, log } = receivers;
    const { person, id } = await someone();
    receivers.answer = async () => BROKEN;
    await sendTest(actingAs(ctx, person), id);
    const waits: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      expect(await send()).toEqual({ sent: 0, failed: 1 });
      expect(await send()).toEqual({ sent: 0, failed: 0 });
      const [row] = await log(person, id);
      expect(row).toMatchObject({
        attempts: tries,
        lastStatus: 500,
        lastProblem: 'refused',
        deliveredAt: null,
      });
      if (!row?.nextAt) break;
      waits.push((Date.parse(row.nextAt) - ctx.clock().getTime()) / 1_000);
      ctx.clock.set(new Date(row.nextAt));
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 28_800, 28_800]);
    expect(sent).toHaveLength(8);
    expect(new Set(sent.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    ctx.clock.advanceDays(2);
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    expect((await listWebhooks(actingAs(ctx, person)))[0]).toMatchObject({ disabledAt: null });

    receivers.answer = async () => TAKEN;
    const [row] = await log(person, id);
    await sendAgain(actingAs(ctx, person), { id, deliveryId: row?.id ?? 0 });
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(sent.at(-1)?.headers['webhook-id']).toBe(row?.eventId);
    expect((await listWebhooks(actingAs(ctx, person)))[0]).toMatchObject({ failingSince: null });
  });

  it('goes on after a crash between the commit and the end of an attempt: at least once, nothing lost', async () => {
    const { ctx, sent, someone, send } = receivers;
    const { person, id } = await someone();
    await sendTest(actingAs(ctx, person), id);
    // The process that sends dies: it never hears the answer.
    receivers.answer = () => new Promise(() => {});
    const dying = new AbortController();
    void sendDeliveries(ctx, dying.signal);
    await expect.poll(() => sent.length).toBe(1);
    dying.abort();
    receivers.answer = async () => TAKEN;
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    ctx.clock.advanceDays(61 / 86_400);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(sent[1]).toMatchObject({
      body: sent[0]?.body,
      headers: { 'webhook-id': sent[0]?.headers['webhook-id'] },
    });
  });

  it('by several processes sends everything once, and to one address one thing at a time', async () => {
    const { ctx, sent, someone, send } = receivers;
    const people = [await someone(), await someone(), await someone()];
    for (const { person, id } of people)
      for (let count = 0; count < 5; count += 1) await sendTest(actingAs(ctx, person), id);
    const busy = new Set<string>();
    let isTwice = false;
    receivers.answer = async ({ url }) => {
      isTwice ||= busy.has(url);
      busy.add(url);
      await new Promise((resolve) => setTimeout(resolve, 5));
      busy.delete(url);
      return TAKEN;
    };
    const done = await Promise.all([send(), send(), send(), send()]);
    expect(done.reduce((sum, { sent: count }) => sum + count, 0)).toBe(15);
    expect({
      isTwice,
      ids: new Set(sent.map(({ headers }) => headers['webhook-id'])).size,
      count: sent.length,
    }).toEqual({
      isTwice: false,
      ids: 15,
      count: 15,
    });
  });

  it('of one event to many addresses follows an order that the random id of the event makes', async () => {
    const { ctx, sent, someone, send } = receivers;
    const people = [];
    for (let count = 0; count < 16; count += 1) people.push(await someone());
    const hash = (text: string) => createHash('md5').update(text).digest('hex');
    for (const eventId of ['msg_0000000000000001', 'msg_0000000000000002']) {
      sent.length = 0;
      const type = 'wish.found';
      for (const { id: endpointId } of people)
        await insertDelivery(ctx.db, { endpointId, eventId, type, payload: { type }, at: ctx.clock() });
      receivers.answer = async () => TAKEN;
      // One process takes them one by one.
      for (const _ of people) {
        const given = { now: ctx.clock(), heldUntil: addSeconds(ctx.clock(), 60), limit: 1 };
        const [claimed] = await claimDue(ctx.db, given);
        if (claimed) sent.push({ url: claimed.url, headers: {}, body: claimed.body });
      }
      const shuffled = people.toSorted((one, other) =>
        hash(`${eventId} ${one.id}`) < hash(`${eventId} ${other.id}`) ? -1 : 1,
      );
      expect(sent.map(({ url }) => url)).toEqual(shuffled.map(({ url }) => url));
      ctx.clock.advanceDays(1 / 24);
      await send();
    }
  });

  it('holds nobody up while one receiver is slow', async () => {
    const { ctx, someone, typesTo } = receivers;
    const [slow, quick] = [await someone(), await someone()];
    let finish: (answer: WebhookAnswer) => void = () => {};
    receivers.answer = ({ url }) =>
      url === slow.url
        ? new Promise((resolve) => {
            finish = resolve;
          })
        : Promise.resolve(TAKEN);
    const stop = new AbortController();
    await sendTest(actingAs(ctx, slow.person), slow.id);
    await sendTest(actingAs(ctx, slow.person), slow.id);
    const running = sendDeliveries(ctx, stop.signal);
    await expect.poll(() => typesTo(slow.url).length).toBe(1);
    for (let count = 1; count <= 3; count += 1) {
      await sendTest(actingAs(ctx, quick.person), quick.id);
      await expect.poll(() => typesTo(quick.url).length, { timeout: WAIT_MS }).toBe(count);
    }
    expect(typesTo(slow.url)).toHaveLength(1);
    stop.abort();
    finish(TAKEN);
    expect(await running).toEqual({ sent: 4, failed: 0 });
  });

  it('sends an address nothing before it says, unless its owner asks for it', async () => {
    const { ctx, sent, someone, send, log } = receivers;
    const { person, id } = await someone();
    const wait = (seconds: number) => ctx.clock.advanceDays(seconds / 86_400);
    receivers.answer = async () => ({ status: 503, problem: 'refused', retryAfter: 3_600 });
    await sendTest(actingAs(ctx, person), id);
    await sendTest(actingAs(ctx, person), id);
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    const first = (await log(person, id)).find(({ attempts }) => attempts === 1);
    expect(first?.nextAt).toBe(new Date(ctx.clock().getTime() + 3_600_000).toISOString());
    receivers.answer = async () => TAKEN;
    wait(3_599);
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    wait(1);
    expect(await send()).toEqual({ sent: 2, failed: 0 });

    receivers.answer = async () => ({ status: 429, problem: 'refused', retryAfter: 3_600 });
    await sendTest(actingAs(ctx, person), id);
    await send();
    receivers.answer = async () => TAKEN;
    await sendTest(actingAs(ctx, person), id);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    expect(sent).toHaveLength(5);
  });

  it('keeps to its own waits where the receiver asks for less', async () => {
    const { ctx, someone, send } = receivers;
    const { person, id } = await someone();
    receivers.answer = async () => ({ status: 503, problem: 'refused', retryAfter: 1 });
    await sendTest(actingAs(ctx, person), id);
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    ctx.clock.advanceDays(4 / 86_400);
    expect(await send()).toEqual({ sent: 0, failed: 0 });
    ctx.clock.advanceDays(1 / 86_400);
    expect(await send()).toEqual({ sent: 0, failed: 1 });
  });

  it('ends at once where the receiver is gone for good, and says so once', async () => {
    const { ctx, someone, send } = receivers;
    const { person, id } = await someone();
    await sendTest(actingAs(ctx, person), id);
    await sendTest(actingAs(ctx, person), id);
    receivers.answer = async () => ({ status: 410, problem: 'refused' });
    expect(await send()).toEqual({ sent: 0, failed: 1 });
    expect((await listWebhooks(actingAs(ctx, person)))[0]?.disabledAt).not.toBeNull();
    expect(await mailsTo(person)).toEqual([
      {
        body: 'Your program at shop.example answered that it wants nothing more (status 410), so we stopped sending.',
        link: '/profile-settings#webhooks',
      },
    ]);
    await expect(sendTest(actingAs(ctx, person), id)).rejects.toThrow('This address is off.');
    await updateWebhook(actingAs(ctx, person), { id, isOn: true });
    receivers.answer = async () => TAKEN;
    expect(await send()).toEqual({ sent: 1, failed: 0 });
  });

  it('ends after a week without a success, with one mail', async () => {
    const { ctx, someone, send } = receivers;
    const { person, id } = await someone();
    receivers.answer = async () => BROKEN;
    for (let day = 0; day < 9; day += 1) {
      await sendTest(actingAs(ctx, person), id).catch(() => {});
      for (let tries = 0; tries < 24; tries += 1) {
        await send();
        ctx.clock.advanceDays(1 / 24);
      }
      const [{ disabledAt } = { disabledAt: null }] = await listWebhooks(actingAs(ctx, person));
      expect(disabledAt !== null).toBe(day >= 7);
    }
    expect(await mailsTo(person)).toEqual([
      expect.objectContaining({
        body: expect.stringContaining('has not accepted anything we sent for 7 days'),
      }),
    ]);
  });
});

it('forgets after a month what was sent', async () => {
  const { ctx, someone, send, log } = receivers;
  const { person, id } = await someone();
  await sendTest(actingAs(ctx, person), id);
  await send();
  ctx.clock.advanceDays(29);
  await forgetOldDeliveries(ctx);
  expect(await log(person, id)).toHaveLength(1);
  ctx.clock.advanceDays(2);
  await forgetOldDeliveries(ctx);
  expect(await log(person, id)).toEqual([]);
});
