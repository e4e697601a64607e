import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PageRef } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { Actor } from '#server/context/context.ts';
import { bidOn, createBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal, move, propose, twoPeople } from '#tests/support/exchanges.ts';
import { loserOf, openRacers, race } from '#tests/support/races.ts';
import {
  conversationOf,
  listConversations,
  listMessages,
  markThreadRead,
  sendMessage,
  unreadMessages,
} from './service.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

const as = (actor: Actor) => actingAs(ctx, actor);
const exchange = (dealId: number): DealRef => ({ dealType: 'exchange', dealId });
const bid = (dealId: number): DealRef => ({ dealType: 'bid', dealId });

const say = (actor: Actor, deal: DealRef, content: string, clientKey?: string) =>
  sendMessage(as(actor), { ...deal, content, clientKey });
const threadOf = async (actor: Actor, deal: DealRef, page: { page?: PageRef; limit?: number } = {}) =>
  listMessages(as(actor), { ...deal, page: 1, limit: 50, ...page });
const listOf = async (actor: Actor, search?: string) =>
  (await listConversations(as(actor), { search, page: 1, limit: 50 })).items;
const notificationsOf = ({ id }: Actor) =>
  ctx.db
    .selectFrom('notifications')
    .select(['content', 'link', 'isRead'])
    .where('userId', '=', id)
    .where('type', '=', 'message')
    .orderBy('id')
    .execute();

describe('a thread', () => {
  it('contains the messages of both parties of an exchange, oldest first [spec/2 7.5]', async () => {
    const { requester, owner, id } = await createDeal(ctx);
    const first = await say(requester, exchange(id), 'Is it still good?');
    await say(owner, exchange(id), 'It is.\nUntil Friday.');
    const { items, total, nextCursor } = await threadOf(owner, exchange(id));
    expect(items.map(({ senderUsername, content }) => [senderUsername, content])).toEqual([
      [requester.username, 'Is it still good?'],
      [owner.username, 'It is.\nUntil Friday.'],
    ]);
    expect(first).toMatchObject({
      exchangeId: id,
      bidId: null,
      senderId: requester.id,
      receiverId: owner.id,
    });
    expect([total, nextCursor]).toEqual([2, null]);
  });

  it('also exists for both parties of a bid [spec/2 7.15] [decisions 3.10.1]', async () => {
    const { bidder, owner, id } = await createBid(ctx);
    await say(owner, bid(id), 'Thirty and it is yours.');
    const { items } = await threadOf(bidder, bid(id));
    expect(items).toMatchObject([{ bidId: id, exchangeId: null, senderId: owner.id, receiverId: bidder.id }]);
  });
});

describe('sending', () => {
  it('is refused in a rejected or cancelled exchange, with its state', async () => {
    const rejected = await createDeal(ctx);
    await move(ctx, rejected.owner, rejected.id, 'rejected');
    await expect(say(rejected.requester, exchange(rejected.id), 'Why?')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This exchange has been rejected. You cannot send more messages.',
    });
    const cancelled = await createDeal(ctx);
    await move(ctx, cancelled.requester, cancelled.id, 'cancelled');
    await expect(say(cancelled.owner, exchange(cancelled.id), 'Why?')).rejects.toMatchObject({
      message: TEXTS.messages.closed('exchange', 'cancelled'),
    });
    expect((await threadOf(cancelled.owner, exchange(cancelled.id))).items).toEqual([]);
  });

  it('stores a repeated message once and gives the same answer [spec/2 7.14]', async () => {
    const { requester, owner, id } = await createDeal(ctx);
    const key = randomUUID();
    const sent = await say(requester, exchange(id), 'Only once', key);
    expect(await say(requester, exchange(id), 'Only once', key)).toEqual(sent);
    expect((await threadOf(owner, exchange(id))).total).toBe(1);
    // A repeat succeeds even after the deal has ended.
    await move(ctx, owner, id, 'rejected');
    expect(await say(requester, exchange(id), 'Only once', key)).toMatchObject({ id: sent.id });
    // The receiver does not learn the key.
    expect((await threadOf(owner, exchange(id))).items[0]?.clientKey).toBeNull();
    expect((await threadOf(requester, exchange(id))).items[0]?.clientKey).toBe(key);
  });

  it('stores a message once that is sent many times at once', async () => {
    const { requester, owner, id } = await createDeal(ctx);
    const key = randomUUID();
    const racers = await openRacers(database);
    const fast = { ...as(requester), db: racers.db };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        sendMessage(fast, { ...exchange(id), content: 'Only once', clientKey: key }),
      ),
    );
    await racers.close();
    expect(new Set(answers.map((message) => message.id)).size).toBe(1);
    expect((await threadOf(requester, exchange(id))).total).toBe(1);
    expect(await notificationsOf(owner)).toHaveLength(1);
  });

  it('refuses a key that belongs to a message of another conversation', async () => {
    const { requester, owner, offered, id } = await createDeal(ctx);
    const key = randomUUID();
    await say(requester, exchange(id), 'Here', key);
    const other = await twoPeople(ctx);
    const elsewhere = await propose(ctx, requester, { offered, requested: other.requested });
    await expect(say(requester, exchange(elsewhere.id), 'There', key)).rejects.toMatchObject({
      code: 'bad_input',
    });
    // Keys are unique per sender.
    await expect(say(owner, exchange(id), 'Mine', key)).resolves.toMatchObject({ content: 'Mine' });
  });

  it('while the deal is being rejected: the message is either stored or refused [decisions 3.10.2]', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { requester, owner, id } = await createDeal(ctx);
      const [sent, rejected] = await race(
        round,
        () => say(requester, exchange(id), 'Please!'),
        () => move(ctx, owner, id, 'rejected'),
      );
      expect(rejected.status).toBe('fulfilled');
      if (sent.status === 'rejected') expect(loserOf(sent, rejected).code).toBe('deal_changed');
      const { total } = await threadOf(owner, exchange(id));
      expect(total).toBe(sent.status === 'fulfilled' ? 1 : 0);
    }
  });
});

describe('unread messages', () => {
  it('are counted for the receiver until they are read [spec/1 3.6] [spec/2 3.5]', async () => {
    const { requester, owner, id } = await createDeal(ctx);
    await say(requester, exchange(id), 'Hello?');
    await say(requester, exchange(id), 'Anybody?');
    expect(await unreadMessages(as(owner))).toEqual({ unread: 2 });
    expect(await unreadMessages(as(requester))).toEqual({ unread: 0 });
    // The sender cannot mark own messages as read.
    await markThreadRead(as(requester), exchange(id));
    expect(await conversationOf(as(owner), exchange(id))).toMatchObject({ unread: 2 });
    await markThreadRead(as(owner), exchange(id));
    await markThreadRead(as(owner), exchange(id));
    expect(await unreadMessages(as(owner))).toEqual({ unread: 0 });
    const { items } = await threadOf(requester, exchange(id));
    expect(items.map(({ isRead }) => isRead)).toEqual([true, true]);
  });
});

describe('conversations', () => {
  it('list all deals of both types and sides, the latest changed first, with the last message [spec/2 2.7 9.12]', async () => {
    const { requester: me, owner, offered, id: asked } = await createDeal(ctx);
    const later = () => ctx.clock.advanceDays(0.01);
    later();
    const other = await twoPeople(ctx);
    const received = await propose(ctx, other.requester, { offered: other.offered, requested: offered });
    later();
    const placed = await createBid(ctx);
    expect((await listOf(me)).map(({ dealId }) => dealId)).toEqual([received.id, asked]);
    await say(owner, exchange(asked), 'And?');
    const [first, second] = await listOf(me);
    expect(first).toMatchObject({
      dealType: 'exchange',
      dealId: asked,
      otherId: owner.id,
      otherUsername: owner.username,
      status: 'pending',
      initiatorId: me.id,
      unread: 1,
      amount: null,
      lastMessage: { content: 'And?', senderId: owner.id },
      offeredCoupon: { id: offered.id },
    });
    expect(second).toMatchObject({ dealId: received.id, unread: 0, lastMessage: null });
    const [bought] = await listOf(placed.bidder);
    expect(bought).toMatchObject({
      dealType: 'bid',
      dealId: placed.id,
      amount: '12.50',
      offeredCoupon: null,
      requestedCoupon: { id: placed.coupon.id },
      otherId: placed.owner.id,
    });
    expect(await conversationOf(as(placed.owner), bid(placed.id))).toMatchObject({
      otherId: placed.bidder.id,
      initiatorId: placed.bidder.id,
    });
  });

  it("are found by either title or the other's name, ignoring case; the caller's own name finds all [spec/2 2.7 5.10]", async () => {
    const me = await createUser(ctx, { username: 'Searcher_Sue' });
    const zebra = await createDeal(ctx, 'pending', { title: 'Ten Pastries' });
    const { requested } = await twoPeople(ctx);
    const own = await propose(ctx, me, {
      offered: await createCoupon(ctx, me, { title: 'My Own Thing' }),
      requested,
    });
    const { id: sold } = await bidOn(ctx, me, zebra.offered);
    const find = async (search: string) => (await listOf(me, search)).map(({ dealId }) => dealId);
    expect((await find('sue')).sort()).toEqual([sold, own.id].sort());
    expect(await find('OWN THING')).toEqual([own.id]);
    expect(await find('pastries')).toEqual([sold]);
    expect(await find(zebra.requester.username.toUpperCase())).toEqual([sold]);
    expect(await find('100%')).toEqual([]);
  });
});
