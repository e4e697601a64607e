import { describe, expect, it } from 'vitest';
import { listExchangesInputSchema } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#server/testing/builders.ts';
import { createDeal, historyOf, move, noticesOf, propose, twoPeople } from '#server/testing/exchanges.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import type { Actor } from '../context.ts';
import { reviseExchange } from './proposing.ts';
import { listExchanges } from './service.ts';

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
});

it('all invariants hold', async () => {
  expect(await checkInvariants(ctx.db)).toEqual([]);
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
