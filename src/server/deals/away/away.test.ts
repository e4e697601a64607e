import { describe, expect, it } from 'vitest';
import { formatDay } from '#contract/base/locale.ts';
import { AWAY_GRACE_DAYS, AWAY_MAX_DAYS } from '#contract/deals/away.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { bidById, placeBid } from '#server/deals/bids/service.ts';
import { proposeRing } from '#server/deals/exchanges/proposing.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { profileById } from '#server/oversight/profiles/service.ts';
import { actingAs, createCoupon, createTestContext, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal, move, propose, ringPeople, twoPeople } from '#tests/support/exchanges.ts';
import { ownAbsence, setAway } from './service.ts';

const database = setUpDatabase();

const dayIn = (ctx: TestContext, days: number) => utcDay(addDays(ctx.clock(), days));
const goAway = (ctx: TestContext, actor: Actor, days: number) =>
  setAway(actingAs(ctx, actor), { until: dayIn(ctx, days) });
const comeBack = (ctx: TestContext, actor: Actor) => setAway(actingAs(ctx, actor), { until: null });
const backAt = (day: string) => addDays(new Date(`${day}T00:00:00Z`), AWAY_GRACE_DAYS);
const startOf = (ctx: TestContext, days: number) => new Date(`${dayIn(ctx, days)}T00:00:00Z`);

async function exchangeOf(ctx: TestContext, actor: Actor, id: number) {
  const { status, reason, deadlineAt } = await exchangeById(actingAs(ctx, actor), id);
  return { status, reason, deadlineAt };
}

describe('being away', () => {
  it('ends on the day of return, or when the person says so; the profile tells it to others', async () => {
    const ctx = createTestContext(database);
    const { requester, owner } = await twoPeople(ctx);
    const until = dayIn(ctx, 5);
    expect(await goAway(ctx, owner, 5)).toEqual({ until, isSuggested: false });
    expect(await profileById(actingAs(ctx, requester), owner.id)).toMatchObject({ awayUntil: until });
    ctx.clock.advanceDays(5);
    expect(await ownAbsence(actingAs(ctx, owner))).toMatchObject({ until: null });
    expect(await profileById(actingAs(ctx, requester), owner.id)).toMatchObject({ awayUntil: null });
    await goAway(ctx, owner, 5);
    expect(await comeBack(ctx, owner)).toMatchObject({ until: null });
    // A day, not past and not too far.
    for (const days of [0, -1, AWAY_MAX_DAYS + 1]) {
      await expect(goAway(ctx, owner, days)).rejects.toMatchObject({ code: 'bad_input' });
    }
  });

  it('keeps proposals, rings and bids away', async () => {
    const ctx = createTestContext(database);
    const { author, second, legs } = await ringPeople(ctx);
    const until = dayIn(ctx, 3);
    await goAway(ctx, second.actor, 3);
    const refusal = {
      code: 'conflict',
      message: `${second.actor.username} is away until ${formatDay(until)}. Please ask again then.`,
    };
    const deal = { offered: author.coupon, requested: second.coupon };
    const bid = { couponId: second.coupon.id, amount: '5.00', message: null, acknowledgeNoCode: true };
    await expect(propose(ctx, author.actor, deal)).rejects.toMatchObject(refusal);
    await expect(proposeRing(actingAs(ctx, author.actor), { legs, message: null })).rejects.toMatchObject(
      refusal,
    );
    await expect(placeBid(actingAs(ctx, author.actor), bid)).rejects.toMatchObject(refusal);
    await comeBack(ctx, second.actor);
    expect(await propose(ctx, author.actor, deal)).toMatchObject({ status: 'pending' });
  });

  it('is suggested to somebody who has left two proposals in a row without an answer', async () => {
    const ctx = createTestContext(database);
    const { owner, requester, ...first } = await createDeal(ctx);
    ctx.clock.advanceDays(DEADLINE_DAYS.exchangePending);
    await expireDeals(ctx);
    expect(await ownAbsence(actingAs(ctx, owner))).toMatchObject({ isSuggested: false });
    const second = await propose(ctx, requester, first);
    ctx.clock.advanceDays(DEADLINE_DAYS.exchangePending);
    await expireDeals(ctx);
    expect(await ownAbsence(actingAs(ctx, owner))).toMatchObject({ isSuggested: true });
    expect(await exchangeOf(ctx, owner, second.id)).toMatchObject({ reason: 'deadline' });
    // Who has let their own proposals lapse has ignored nobody.
    expect(await ownAbsence(actingAs(ctx, requester))).toMatchObject({ isSuggested: false });
    const third = await propose(ctx, requester, first);
    await move(ctx, owner, third.id, 'rejected');
    expect(await ownAbsence(actingAs(ctx, owner))).toMatchObject({ isSuggested: false });
  });
});

describe('deadlines of people who are away', () => {
  it('pass after the return of whoever is to answer, if they had said so before', async () => {
    const ctx = createTestContext(database);
    const { owner, requester, id } = await createDeal(ctx);
    const coupon = await createCoupon(ctx, owner);
    const bid = await placeBid(actingAs(ctx, requester), {
      couponId: coupon.id,
      amount: '5.00',
      message: null,
      acknowledgeNoCode: true,
    });
    const until = dayIn(ctx, 18);
    await goAway(ctx, owner, 18);
    const deadlineAt = backAt(until).toISOString();
    for (const party of [owner, requester]) {
      expect(await exchangeOf(ctx, party, id)).toMatchObject({ status: 'pending', deadlineAt });
      expect(await bidById(actingAs(ctx, party), bid.id)).toMatchObject({ deadlineAt });
    }
    ctx.clock.set(new Date(backAt(until).getTime() - 1));
    await expireDeals(ctx);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ status: 'pending' });
    expect(await bidById(actingAs(ctx, owner), bid.id)).toMatchObject({ status: 'pending' });
    ctx.clock.set(backAt(until));
    await expireDeals(ctx);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ status: 'cancelled', reason: 'deadline' });
    expect(await bidById(actingAs(ctx, owner), bid.id)).toMatchObject({ status: 'cancelled' });
  });

  it('leave time to answer after an early return', async () => {
    const ctx = createTestContext(database);
    const { owner, id } = await createDeal(ctx);
    await goAway(ctx, owner, 30);
    ctx.clock.advanceDays(20);
    await comeBack(ctx, owner);
    const back = backAt(dayIn(ctx, 0));
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ deadlineAt: back.toISOString() });
    await expireDeals(ctx);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ status: 'pending' });
    ctx.clock.set(back);
    await expireDeals(ctx);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ status: 'cancelled' });
  });

  it('stay as they are for whoever waits, and for who says it too late', async () => {
    const ctx = createTestContext(database);
    const { owner, requester, id } = await createDeal(ctx);
    const deadline = addDays(ctx.clock(), DEADLINE_DAYS.exchangePending);
    await goAway(ctx, requester, 30);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ deadlineAt: deadline.toISOString() });
    ctx.clock.set(deadline);
    await goAway(ctx, owner, 30);
    await expireDeals(ctx);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({ status: 'cancelled', reason: 'deadline' });
  });

  it('wait for both once a swap is accepted', async () => {
    const ctx = createTestContext(database);
    const { owner, requester, id } = await createDeal(ctx, 'accepted');
    await goAway(ctx, requester, 40);
    expect(await exchangeOf(ctx, owner, id)).toMatchObject({
      deadlineAt: addDays(startOf(ctx, 40), AWAY_GRACE_DAYS).toISOString(),
    });
  });
});
