import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { listExchangesInputSchema } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  setUpContext,
} from '#tests/support/builders.ts';
import { createDeal, historyOf, move, noticesOf, propose, twoPeople } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { reviseExchange } from './proposing.ts';
import { exchangeById, listExchanges, setExchangeStatus } from './service.ts';

const ctx = setUpContext();
const as = (actor: Actor) => actingAs(ctx, actor);

describe('proposing', () => {
  it("returns both coupons and the request's deadline [spec/1 3.5] [spec/2 3.1]", async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    const exchange = await propose(ctx, requester, { offered, requested, message: 'Shall we?' });
    expect(exchange).toMatchObject({
      status: 'pending',
      message: 'Shall we?',
      requesterUsername: requester.username,
      requestedCouponOwnerId: owner.id,
      requestedCouponOwnerUsername: owner.username,
      requestedCoupon: { id: requested.id, title: requested.title, value: 1_000, ownerId: owner.id },
      offeredCoupon: { id: offered.id, ownerId: requester.id, expiryDate: utcDay(addDays(ctx.clock(), 30)) },
      deadlineAt: addDays(ctx.clock(), 14).toISOString(),
    });
    expect(JSON.stringify(exchange)).not.toContain(requested.code);
  });

  it('notifies the owner on the site and by mail, and writes both histories [decisions 6.4.2]', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    const { id } = await propose(ctx, requester, { offered, requested });
    const content = `${requester.username} proposes an exchange: “${offered.title}” for your “${requested.title}”.`;
    expect(await noticesOf(ctx, owner)).toEqual([
      {
        type: 'exchange_request',
        content,
        relatedId: id,
        link: `/exchanges?exchange=${id}`,
        mailTo: owner.id,
        subject: 'You have a new exchange request',
        body: content,
      },
    ]);
    expect(await noticesOf(ctx, requester)).toEqual([]);
    expect(await historyOf(ctx, owner)).toEqual([
      { action: 'created', details: content, actorId: requester.id },
    ]);
    expect(await historyOf(ctx, requester)).toMatchObject([{ action: 'created', actorId: requester.id }]);
  });

  it('refuses a second request for the same coupon while the first is pending [spec/2 7.2]', async () => {
    const { requester, requested, id } = await createDeal(ctx);
    const other = await createCoupon(ctx, requester);
    await expect(propose(ctx, requester, { offered: other, requested })).rejects.toMatchObject({
      code: 'exchange_exists',
      message: TEXTS.exchanges.alreadySubmitted(),
    });
    await move(ctx, requester, id, 'cancelled');
    await expect(propose(ctx, requester, { offered: other, requested })).resolves.toMatchObject({
      status: 'pending',
    });
  });
});

describe('revising', () => {
  it('changes the offer or the message, keeps the rest and notifies the owner [spec/2 7.4]', async () => {
    const { requester, owner, offered, requested, id } = await createDeal(ctx);
    const other = await createCoupon(ctx, requester);
    const revised = await reviseExchange(as(requester), {
      id,
      message: 'Better?',
      offeredCouponId: undefined,
    });
    expect(revised).toMatchObject({ message: 'Better?', offeredCoupon: { id: offered.id } });
    await reviseExchange(as(requester), { id, offeredCouponId: other.id, message: undefined });
    const cleared = await reviseExchange(as(requester), { id, message: null, offeredCouponId: undefined });
    expect(cleared).toMatchObject({ message: null, offeredCoupon: { id: other.id }, status: 'pending' });
    const notices = await noticesOf(ctx, owner);
    expect(notices[2]?.content).toBe(
      `${requester.username} changed their exchange request: “${other.title}” for your “${requested.title}”.`,
    );
  });

  it('is refused after the exchange is accepted', async () => {
    const { requester, id } = await createDeal(ctx, 'accepted');
    await expect(
      reviseExchange(as(requester), { id, message: 'Wait', offeredCouponId: undefined }),
    ).rejects.toMatchObject({ code: 'deal_changed', message: 'This exchange is already accepted.' });
  });
});

describe('listing', () => {
  const input = (given: Parameters<typeof listExchangesInputSchema.parse>[0] = {}) =>
    listExchangesInputSchema.parse(given);

  it('has a tab for each side and state, newest first [spec/2 7.1]', async () => {
    const { requester: me, id: first, offered } = await createDeal(ctx);
    ctx.clock.advanceDays(0.01);
    const other = await createUser(ctx);
    const received = await propose(ctx, other, {
      offered: await createCoupon(ctx, other),
      requested: offered,
    });
    ctx.clock.advanceDays(0.01);
    const third = await propose(ctx, me, { offered, requested: await createCoupon(ctx, other) });
    await move(ctx, other, third.id, 'accepted');
    await move(ctx, me, third.id, 'completed');
    const idsOf = async (tab: string) =>
      (await listExchanges(as(me), input({ tab }))).items.map(({ id }) => id);
    expect(await idsOf('all')).toEqual([third.id, received.id, first]);
    expect(await idsOf('requested')).toEqual([third.id, first]);
    expect(await idsOf('received')).toEqual([received.id]);
    expect(await idsOf('completed')).toEqual([third.id]);
    expect(await idsOf('pending')).toEqual([]);
  });

  it('finds parts of titles and names, ignoring case, and takes wildcards literally [spec/2 2.2 5.10]', async () => {
    const me = await createUser(ctx);
    const owner = await createUser(ctx, { username: 'Zebra_Owner' });
    const percent = await createCoupon(ctx, owner, { title: '50% off Pizza' });
    const plain = await createCoupon(ctx, owner, { title: '500 points' });
    const own = await createCoupon(ctx, me, { title: 'My Own Thing' });
    const [one, two] = [
      await propose(ctx, me, { offered: own, requested: percent }),
      await propose(ctx, me, { offered: own, requested: plain }),
    ];
    const find = async (search: string) =>
      (await listExchanges(as(me), input({ search }))).items.map(({ id }) => id);
    expect(await find('pIZZA')).toEqual([one.id]);
    expect(await find('50%')).toEqual([one.id]);
    expect(await find('own thing')).toEqual([two.id, one.id]);
    expect(await find('ebra_o')).toEqual([two.id, one.id]);
    expect(await find('e_ra')).toEqual([]);
    expect(await find('\\')).toEqual([]);
  });
});

describe('moving an exchange', () => {
  it('refuses the wrong side, and answers a stale call with the current state [spec/2 4.3]', async () => {
    const { id, requester, owner } = await createDeal(ctx);
    await expect(move(ctx, requester, id, 'accepted')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, requester, id, 'rejected')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, owner, id, 'cancelled')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(move(ctx, owner, id, 'completed')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This exchange is still pending.',
    });
    await move(ctx, owner, id, 'rejected');
    await expect(move(ctx, owner, id, 'accepted')).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This exchange is already rejected.',
    });
  });
});

describe('completing', () => {
  it('swaps the owners, records that the new owners may see the codes, and counts for both parties', async () => {
    const { requester, owner, offered, requested, id } = await createDeal(ctx, 'accepted');
    const completed = await move(ctx, requester, id, 'completed');
    expect(completed).toMatchObject({
      status: 'completed',
      reason: null,
      completedAt: ctx.clock().toISOString(),
      deadlineAt: null,
      requesterId: requester.id,
      requestedCouponOwnerId: owner.id,
      requestedCoupon: { id: requested.id, ownerId: requester.id },
      offeredCoupon: { id: offered.id, ownerId: owner.id },
    });
    const reveals = await ctx.db
      .selectFrom('couponReveals')
      .select(['couponId', 'userId'])
      .where('couponId', 'in', [offered.id, requested.id])
      .orderBy('couponId')
      .execute();
    expect(reveals).toEqual([
      { couponId: offered.id, userId: owner.id },
      { couponId: requested.id, userId: requester.id },
    ]);
    const counts = await ctx.db
      .selectFrom('users')
      .select('successfulExchanges')
      .where('id', 'in', [requester.id, owner.id])
      .execute();
    expect(counts).toEqual([{ successfulExchanges: 1 }, { successfulExchanges: 1 }]);
    expect((await noticesOf(ctx, owner)).at(-1)).toMatchObject({
      type: 'exchange_completed',
      content: `${requester.username} completed your exchange: you now own “${offered.title}”.`,
    });
    expect((await noticesOf(ctx, requester)).map(({ type }) => type)).toEqual(['exchange_accepted']);
    expect((await historyOf(ctx, requester)).at(-1)).toMatchObject({
      action: 'completed',
      details: `You completed the exchange with ${owner.username}: you now own “${requested.title}”.`,
    });
  });

  it('records no reveal for a coupon without a code', async () => {
    const { requester, owner, offered } = await twoPeople(ctx);
    const bare = await createCoupon(ctx, owner, { code: null });
    const { id } = await propose(ctx, requester, { offered, requested: bare });
    await move(ctx, owner, id, 'accepted');
    await move(ctx, owner, id, 'completed');
    const reveals = await ctx.db
      .selectFrom('couponReveals')
      .select('couponId')
      .where('couponId', 'in', [bare.id, offered.id])
      .execute();
    expect(reveals).toEqual([{ couponId: offered.id }]);
  });

  it('ends every other deal on both coupons and notifies their parties of the reason [spec/2 4.4]', async () => {
    const { requester, owner, offered, requested, id } = await createDeal(ctx);
    const [rival, target] = [await createUser(ctx), await createUser(ctx)];
    const forRequested = await propose(ctx, rival, { offered: await createCoupon(ctx, rival), requested });
    const withOffered = await propose(ctx, requester, {
      offered,
      requested: await createCoupon(ctx, target),
    });
    await move(ctx, owner, id, 'accepted');
    await move(ctx, owner, id, 'completed');
    for (const [party, dealId] of [
      [rival, forRequested.id],
      [target, withOffered.id],
    ] as const) {
      expect(await exchangeById(as(party), dealId)).toMatchObject({
        status: 'cancelled',
        reason: 'rival_completed',
      });
      expect((await noticesOf(ctx, party)).at(-1)?.content).toMatch(/changed hands in another deal\.$/);
      expect((await historyOf(ctx, party)).at(-1)).toMatchObject({ action: 'cancelled', actorId: owner.id });
    }
    expect((await historyOf(ctx, owner)).map(({ action }) => action)).toContain('cancelled');
    expect((await noticesOf(ctx, owner)).filter(({ type }) => type === 'other')).toEqual([]);
  });

  it('is refused if a coupon has expired since acceptance; either party may then cancel', async () => {
    const { requester, owner, offered } = await twoPeople(ctx);
    const soon = await createCoupon(ctx, owner, { expiryDate: utcDay(ctx.clock()) });
    const { id } = await propose(ctx, requester, { offered, requested: soon });
    await move(ctx, owner, id, 'accepted');
    const tomorrow = createTestContext(ctx);
    tomorrow.clock.advanceDays(1);
    await expect(
      setExchangeStatus(actingAs(tomorrow, requester), { id, status: 'completed' }),
    ).rejects.toMatchObject({ code: 'coupon_unavailable' });
    await expect(
      setExchangeStatus(actingAs(tomorrow, requester), { id, status: 'cancelled' }),
    ).resolves.toMatchObject({ status: 'cancelled', reason: 'by_requester' });
  });
});

it('all invariants hold [spec/2 9.3]', async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
});
