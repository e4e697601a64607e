import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { termsNow } from '#server/deals/lifecycle/terms.ts';
import {
  conversationOf,
  listConversations,
  listMessages,
  markThreadRead,
  sendMessage,
  unreadMessages,
} from '#server/deals/messages/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import {
  counter,
  createCounter,
  createDeal,
  createRing,
  historyOf,
  move,
  noticesOf,
  propose,
  richPeople,
} from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { swapLegs } from './offers.ts';
import { exchangeById, listExchanges, roundsOf } from './service.ts';
import { insertExchange } from './store.ts';

const ctx = setUpContext();
const as = (actor: Actor) => actingAs(ctx, actor);

describe('a counter-offer', () => {
  it('replaces the proposal that it answers, with the roles changed [decisions 3.13.10]', async () => {
    const { first, answer, requester, owner, offered, alsoOffered, requested, alsoRequested } =
      await createCounter(ctx);
    expect(answer).toMatchObject({
      status: 'pending',
      round: 2,
      replacesId: first.id,
      replacedById: null,
      requesterId: owner.id,
      requestedCouponOwnerId: requester.id,
      consentBy: new Date(ctx.clock().getTime() + 48 * 3_600_000).toISOString(),
      deadlineAt: answer.consentBy,
    });
    expect(answer.legs.map(({ coupon, giverId }) => [coupon.id, giverId])).toEqual([
      [offered.id, requester.id],
      [alsoOffered.id, requester.id],
      [requested.id, owner.id],
      [alsoRequested.id, owner.id],
    ]);
    expect(await exchangeById(as(requester), first.id)).toMatchObject({
      status: 'cancelled',
      reason: 'countered',
      endedById: owner.id,
      round: 1,
      replacedById: answer.id,
    });
    expect((await noticesOf(ctx, requester)).at(-1)).toMatchObject({
      type: 'exchange_request',
      content: `${owner.username} made you a counter-offer: “${requested.title}” and “${alsoRequested.title}” for your “${offered.title}” and “${alsoOffered.title}”. You have 48 hours to answer.`,
      link: `/exchanges?exchange=${answer.id}`,
      subject: 'You have a counter-offer',
    });
    expect((await historyOf(ctx, owner)).at(-1)).toMatchObject({ action: 'created', actorId: owner.id });
    const { items } = await listExchanges(as(requester), { tab: 'all', page: 1, limit: 10 });
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [answer.id, 'pending'],
      [first.id, 'cancelled'],
    ]);
    // A click on what has been replaced gets the true state.
    for (const late of [
      move(ctx, owner, first.id, 'accepted'),
      move(ctx, requester, first.id, 'cancelled'),
    ]) {
      await expect(late).rejects.toMatchObject({
        code: 'deal_changed',
        message: 'This exchange is already cancelled.',
      });
    }
    await move(ctx, requester, answer.id, 'accepted');
    const done = await move(ctx, owner, answer.id, 'completed');
    expect(done.legs.map(({ coupon }) => coupon.ownerId)).toEqual([
      owner.id,
      owner.id,
      requester.id,
      requester.id,
    ]);
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });

  it('is answered by another one, up to round five; its rounds are told in order [decisions 3.13.11]', async () => {
    const people = await richPeople(ctx);
    const { requester, owner, offered, alsoOffered, requested } = people;
    let { id } = await propose(ctx, requester, people);
    const sides = [
      [owner, [requested], [alsoOffered]],
      [requester, [offered], [requested]],
      [owner, [requested], [offered, alsoOffered]],
      [requester, [alsoOffered], [requested]],
    ] as const;
    for (const [actor, gives, gets] of sides) {
      ({ id } = await counter(ctx, actor, id, { offered: gives, requested: gets }));
    }
    const sixth = counter(ctx, owner, id, { offered: [requested], requested: [offered] });
    await expect(sixth).rejects.toMatchObject({
      code: 'conflict',
      message: 'This is round 5 of 5: accept or decline it.',
    });
    const stored = inTransaction(ctx.db, (trx) =>
      insertExchange(trx, {
        deposit: null,
        kind: 'swap',
        requesterId: owner.id,
        message: null,
        terms: termsNow(ctx.config),
        consentBy: ctx.clock(),
        replacesId: id,
        legs: swapLegs(
          { requested: [offered.id], offered: [requested.id], money: null },
          owner.id,
          requester.id,
        ),
        at: ctx.clock(),
      }),
    );
    await expect(stored).rejects.toMatchObject({ constraint: 'exchanges_round' });
    const rounds = await roundsOf(as(owner), id);
    expect(rounds.map(({ round, requesterId }) => [round, requesterId])).toEqual([
      [1, requester.id],
      [2, owner.id],
      [3, requester.id],
      [4, owner.id],
      [5, requester.id],
    ]);
    expect(rounds.map((round) => round.replacesId)).toEqual([
      null,
      ...rounds.slice(0, 4).map((one) => one.id),
    ]);
    await expect(roundsOf(as(await createUser(ctx)), id)).rejects.toMatchObject({ code: 'not_found' });
    await move(ctx, owner, id, 'rejected');
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });

  it('is for whoever is to answer a swap, and changes something [decisions 3.13.12]', async () => {
    const people = await richPeople(ctx);
    const { requester, owner, offered, alsoOffered, requested } = people;
    const { id } = await propose(ctx, requester, people);
    const own = counter(ctx, requester, id, { offered: [alsoOffered], requested: [requested] });
    await expect(own).rejects.toMatchObject({ code: 'forbidden' });
    const same = counter(ctx, owner, id, { offered: [requested], requested: [offered] });
    await expect(same).rejects.toMatchObject({ code: 'bad_input' });
    const stranger = await createDeal(ctx);
    const foreign = counter(ctx, owner, id, { offered: [requested], requested: [stranger.offered] });
    await expect(foreign).rejects.toMatchObject({ code: 'forbidden' });
    const ring = await createRing(ctx);
    const inRing = counter(ctx, ring.second.actor, ring.id, {
      offered: [ring.second.coupon],
      requested: [ring.author.coupon],
    });
    await expect(inRing).rejects.toMatchObject({ code: 'forbidden' });
    expect(await exchangeById(as(owner), id)).toMatchObject({ status: 'pending', replacedById: null });
  });

  it('asks for what was offered, even if it is not open to offers, and for nothing else that is not', async () => {
    const people = await richPeople(ctx);
    const { requester, owner, offered, alsoOffered, requested, alsoRequested } = people;
    await ctx.db
      .updateTable('coupons')
      .set({ isOpenToOffers: false })
      .where('ownerId', '=', requester.id)
      .execute();
    const { id } = await propose(ctx, requester, people);
    const more = counter(ctx, owner, id, { offered: [requested], requested: [offered, alsoOffered] });
    await expect(more).rejects.toMatchObject({ code: 'coupon_unavailable' });
    const answer = await counter(ctx, owner, id, { offered: [alsoRequested], requested: [offered] });
    expect(answer.round).toBe(2);
  });

  it('lapses after 48 hours, and says so', async () => {
    const { id, requester } = await createCounter(ctx);
    ctx.clock.advanceDays(2);
    await expireDeals(ctx);
    expect(await exchangeById(as(requester), id)).toMatchObject({ status: 'cancelled', reason: 'deadline' });
    expect((await noticesOf(ctx, requester)).at(-1)?.content).toMatch(
      /it was not answered within 48 hours\.$/,
    );
  });
});

describe('the conversation of a negotiation', () => {
  it('goes on from round to round, whichever of them is named', async () => {
    const people = await richPeople(ctx);
    const { requester, owner, offered, alsoRequested } = people;
    const first = await propose(ctx, requester, people);
    const inRound = (dealId: number) => ({ dealType: 'exchange', dealId }) as const;
    await sendMessage(as(requester), { ...inRound(first.id), content: 'Would you?' });
    const answer = await counter(ctx, owner, first.id, { offered: [alsoRequested], requested: [offered] });
    await sendMessage(as(owner), { ...inRound(answer.id), content: 'Rather this one.' });
    await sendMessage(as(requester), { ...inRound(first.id), content: 'Why not.' });
    for (const { id } of [first, answer]) {
      const { items } = await listMessages(as(owner), { ...inRound(id), page: 1, limit: 10 });
      expect(items.map(({ content }) => content)).toEqual(['Would you?', 'Rather this one.', 'Why not.']);
      expect(await conversationOf(as(owner), inRound(id))).toMatchObject({ dealId: answer.id, unread: 2 });
    }
    const { items } = await listConversations(as(owner), { page: 1, limit: 10 });
    expect(items.map(({ dealId }) => dealId)).toEqual([answer.id]);
    await markThreadRead(as(owner), inRound(answer.id));
    expect(await unreadMessages(as(owner))).toEqual({ unread: 0 });
    const unreadNotices = ctx.db
      .selectFrom('notifications')
      .select('id')
      .where('userId', '=', owner.id)
      .where('type', '=', 'message')
      .where('isRead', '=', false);
    expect(await unreadNotices.execute()).toEqual([]);
    expect(await checkInvariants(ctx.db)).toEqual([]);
  });
});

describe('the database', () => {
  it.each([
    ['a round that moves', sql`update exchanges set replaces_id = null`],
    [
      'an ending by a counter-offer that does not exist',
      sql`
      update exchanges set status = 'cancelled', reason = 'countered', ended_by_id = requester_id`,
    ],
  ])('refuses %s', async (_, statement) => {
    const { id } = await createCounter(ctx);
    const change = inTransaction(ctx.db, (trx) => sql`${statement} where id = ${id}`.execute(trx));
    await expect(change).rejects.toMatchObject({ code: '23514' });
  });

  it('refuses a second answer, and a round of other people', async () => {
    const { first, id } = await createCounter(ctx);
    const rival = await createDeal(ctx);
    const answer = (replacesId: number) =>
      inTransaction(ctx.db, (trx) =>
        insertExchange(trx, {
          deposit: null,
          kind: 'swap',
          requesterId: rival.owner.id,
          message: null,
          terms: termsNow(ctx.config),
          consentBy: ctx.clock(),
          replacesId,
          legs: swapLegs(
            { requested: [rival.offered.id], offered: [rival.requested.id], money: null },
            rival.owner.id,
            rival.requester.id,
          ),
          at: ctx.clock(),
        }),
      );
    await expect(answer(first.id)).rejects.toMatchObject({ constraint: 'exchanges_one_successor' });
    await expect(answer(id)).rejects.toMatchObject({ code: '23514' });
  });
});
