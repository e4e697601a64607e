import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { setBidStatus } from '#server/deals/bids/service.ts';
import { sendMessage } from '#server/deals/messages/service.ts';
import { lockPaymentWithDeal } from '#server/money/payments/facts.ts';
import { notifyOfPayment } from '#server/money/payments/notices.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { notifyAll } from '#server/people/notifications/service.ts';
import { bidOn, counter, paySale } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal, move } from '#tests/support/exchanges.ts';
import { said } from '#tests/support/said.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { openReceivers, type SentWebhook } from '#tests/support/webhooks.ts';
import { renewSecret, sendTest, updateWebhook } from './service.ts';

const database = setUpDatabase();
let receivers: ReturnType<typeof openReceivers>;
beforeEach(async () => {
  receivers = openReceivers(database);
  await receivers.ctx.db.deleteFrom('webhookEndpoints').execute();
});

describe('what is sent', () => {
  it('is signed: the receiver’s library takes it, and refuses forged, changed and late copies', async () => {
    const { ctx, sent, someone, send } = receivers;
    const { person, id, secret } = await someone();
    await sendTest(actingAs(ctx, person), id);
    expect(await send()).toEqual({ sent: 1, failed: 0 });
    const [{ headers, body }] = sent as [SentWebhook];
    const receiver = new Webhook(secret);
    expect(receiver.verify(body, headers)).toEqual({
      type: 'webhook.test',
      timestamp: ctx.clock().toISOString(),
      data: { endpointId: id },
    });
    const stranger = new Webhook(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
    expect(() => stranger.verify(body, headers)).toThrow('No matching signature');
    expect(() => receiver.verify(body.replace('test', 'fest'), headers)).toThrow('No matching signature');
    const late = Math.floor(Date.now() / 1_000) - 600;
    const replayed = { ...headers, 'webhook-timestamp': String(late) };
    expect(() => receiver.verify(body, replayed)).toThrow('too old');
    const old = receiver.sign(headers['webhook-id'] ?? '', new Date(late * 1_000), body);
    expect(() => receiver.verify(body, { ...replayed, 'webhook-signature': old })).toThrow('too old');
  });

  it('is signed by the old secret, too, for a day after a new one', async () => {
    const { ctx, sent, someone, send } = receivers;
    const { person, id, secret } = await someone();
    const { secret: renewed } = await renewSecret(actingAs(ctx, person), id);
    const opens = async () => {
      await sendTest(actingAs(ctx, person), id);
      await send();
      const { body, headers } = sent.at(-1) as SentWebhook;
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const signed = headers['webhook-signature']?.split(' ') ?? [];
      return [secret, renewed].map((one) =>
        signed.includes(new Webhook(one).sign(headers['webhook-id'] ?? '', at, body)),
      );
    };
    expect(await opens()).toEqual([true, true]);
    ctx.clock.advanceDays(1);
    expect(await opens()).toEqual([false, true]);
  });

  it('tells both parties of a sale’s whole life by the same ids, and an admin of everything, once', async () => {
    const { ctx, sent, someone, send, typesTo } = receivers;
    const [buyer, owner, admin] = [await someone(), await someone(), await someone({ isForAll: true })];
    const stranger = await someone();
    const coupon = await createCoupon(ctx, owner.person);
    const { id } = await bidOn(ctx, buyer.person, coupon);
    await counter(ctx, owner.person, id, '15.00');
    await sendMessage(actingAs(ctx, buyer.person), {
      dealType: 'bid',
      dealId: id,
      content: 'The code is SOUP-1',
    });
    await setBidStatus(actingAs(ctx, buyer.person), { id, status: 'accepted', expectedAmount: '15.00' });
    const paymentId = await paySale(ctx, id);
    await send();
    const life = ['bid.placed', 'bid.countered', 'bid.accepted', 'bid.completed'];
    expect(typesTo(buyer.url)).toEqual(life);
    expect(typesTo(owner.url)).toEqual([...life.slice(0, 2), 'message.received', ...life.slice(2)]);
    expect(typesTo(admin.url)).toEqual(typesTo(owner.url));
    expect(typesTo(stranger.url)).toEqual([]);
    const idsTo = (url: string) =>
      sent.filter((one) => one.url === url).map(({ headers }) => headers['webhook-id']);
    expect(idsTo(admin.url)).toEqual(idsTo(owner.url));
    expect(new Set(idsTo(owner.url)).size).toBe(5);
    const last = JSON.parse(sent.filter(({ url }) => url === owner.url).at(-1)?.body ?? '');
    expect(last.data).toEqual({ dealType: 'bid', dealId: id, couponIds: [coupon.id], status: 'completed' });
    expect(paymentId).toBeGreaterThan(0);
    expect(JSON.stringify(sent)).not.toMatch(/SOUP|example\.org|person-|12\.5|15\.0/);
  });

  it('tells both parties of the money and the claims of their sale, and of a failed payout the seller alone', async () => {
    const { ctx, someone, send, typesTo, sent } = receivers;
    const [buyer, seller, stranger] = [await someone(), await someone(), await someone()];
    const { paymentId } = await insertHeldSale(ctx, buyer.person, seller.person);
    const told = [
      ['paid', 'payment.paid'],
      ['answer_asked', 'claim.opened'],
      ['claim_withdrawn', 'claim.withdrawn'],
      ['confirmed', 'payment.final'],
      ['paid_out', 'payout.paid'],
      ['late_claimed', 'claim.opened'],
      ['late_refused', 'claim.decided'],
      ['refunded', 'payment.refunded'],
      ['disputed', 'payment.disputed'],
      ['payout_failed', 'payout.failed'],
    ] as const;
    for (const [what] of told)
      await inTransaction(ctx.db, async (trx) =>
        notifyOfPayment(trx, await lockPaymentWithDeal(trx, paymentId), what, ctx.clock()),
      );
    await send();
    const events = told.map(([, event]) => event);
    expect(typesTo(seller.url)).toEqual(events);
    expect(typesTo(buyer.url)).toEqual(events.slice(0, -1));
    expect(typesTo(stranger.url)).toEqual([]);
    expect(JSON.stringify(sent)).not.toMatch(/person-|20\.00|19\.00/);
  });

  it('tells of a swap, also where a rule ends it, and only what was chosen', async () => {
    const { ctx, sent, listening, send, typesTo } = receivers;
    const { requester, owner, offered, requested, id } = await createDeal(ctx);
    const [mine, theirs] = [
      await listening(requester),
      await listening(owner, { events: ['exchange.completed', 'exchange.cancelled'] }),
    ];
    await move(ctx, owner, id, 'accepted');
    await move(ctx, requester, id, 'completed');
    await send();
    expect(typesTo(mine.url)).toEqual(['exchange.accepted', 'exchange.completed']);
    expect(typesTo(theirs.url)).toEqual(['exchange.completed']);
    const [first] = sent.filter(({ url }) => url === mine.url);
    expect(JSON.parse(first?.body ?? '').data).toEqual({
      dealType: 'exchange',
      dealId: id,
      couponIds: expect.arrayContaining([offered.id, requested.id]),
      status: 'accepted',
    });
  });

  it('is kept exactly if the act happened', async () => {
    const { ctx, someone, send, typesTo } = receivers;
    const { person, url } = await someone();
    const tell = (isDone: boolean) =>
      inTransaction(ctx.db, async (trx) => {
        const at = ctx.clock();
        const notice = {
          userId: person.id,
          type: 'want' as const,
          content: said('Here it is'),
          link: '/',
          at,
        };
        const told = { event: 'wish.found' as const, data: { couponIds: [1] }, at };
        await notifyAll(trx, [{ ...notice, relatedId: null }], told);
        if (!isDone) throw new Error('the act fails');
      });
    await expect(tell(false)).rejects.toThrow('the act fails');
    await send();
    expect(typesTo(url)).toEqual([]);
    await tell(true);
    await send();
    expect(typesTo(url)).toEqual(['wish.found']);
  });
});

describe('who gets nothing more', () => {
  const tell = async (buyer: Actor) => {
    const { ctx } = receivers;
    const coupon = await createCoupon(ctx, await createUser(ctx));
    await bidOn(ctx, buyer, coupon);
  };

  it('a banned person', async () => {
    const { ctx, someone, send, typesTo } = receivers;
    const { person, url } = await someone();
    await tell(person);
    await ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', person.id).execute();
    await send();
    expect(typesTo(url)).toEqual([]);
  });

  it('a person who has left', async () => {
    const { ctx, someone, send, typesTo } = receivers;
    const { person, url } = await someone();
    await tell(person);
    await deleteAccount(actingAs(ctx, person), { confirmPassword: TEST_PASSWORD });
    await send();
    expect(typesTo(url)).toEqual([]);
    expect(await ctx.db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([]);
  });

  it('an address for everything whose owner is an admin no longer, who cannot read its log either', async () => {
    const { ctx, someone, send, typesTo, log } = receivers;
    const { person, id, url } = await someone({ isForAll: true });
    await tell(await createUser(ctx));
    await ctx.db.updateTable('users').set({ role: 'user' }).where('id', '=', person.id).execute();
    await tell(await createUser(ctx));
    await send();
    expect(typesTo(url)).toEqual([]);
    await expect(log({ ...person, role: 'user' }, id)).rejects.toThrow('Only admins');
    const rows = await ctx.db
      .selectFrom('webhookDeliveries')
      .select('id')
      .where('endpointId', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('an address that is off, of what happens meanwhile', async () => {
    const { ctx, someone, send, typesTo } = receivers;
    const { person, id, url } = await someone();
    await updateWebhook(actingAs(ctx, person), { id, isOn: false });
    await tell(person);
    await updateWebhook(actingAs(ctx, person), { id, isOn: true });
    await send();
    expect(typesTo(url)).toEqual([]);
  });
});
