import { describe, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import { type LockedCoupon, lockCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction } from '#server/database/client.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { actingAs, createTestContext } from '#tests/support/builders.ts';
import { connectTo, setUpDatabase } from '#tests/support/database.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { changesOf, expireDeals, findOfferable, refusalOf } from './service.ts';

const database = setUpDatabase();

/** An exchange in a context with its own clock. */
async function dealOnItsClock(status: 'pending' | 'accepted' = 'pending', columns = {}) {
  const ctx = createTestContext(database);
  return { ctx, ...(await createDeal(ctx, status, columns)) };
}

async function lastToldTo(ctx: ReturnType<typeof createTestContext>, { id }: Actor) {
  const notice = await ctx.db
    .selectFrom('notifications')
    .select(['content', 'link'])
    .where('userId', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const line = await ctx.db
    .selectFrom('transactionLogs')
    .select(['action', 'actorId', 'details'])
    .where('userId', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return { notice, line };
}

describe('deadlines', () => {
  it('ends a request after exactly 14 days [spec/2 3.8]', async () => {
    const { ctx, id, requester, owner } = await dealOnItsClock();
    const deadline = new Date(
      (await exchangeById(actingAs(ctx, owner), id)).deadlineAt ?? 'an open deal has a deadline',
    );
    ctx.clock.set(new Date(deadline.getTime() - 1));
    await expireDeals(ctx);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({ status: 'pending' });
    ctx.clock.set(deadline);
    expect(await expireDeals(ctx)).toBeGreaterThan(0);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    for (const party of [requester, owner]) {
      const { notice, line } = await lastToldTo(ctx, party);
      expect(notice?.content).toMatch(/was cancelled: it was not answered within 14 days\.$/);
      expect(line).toMatchObject({ action: 'expired', actorId: null });
    }
    expect(await expireDeals(ctx)).toBe(0);
  });

  it('ends an accepted exchange 14 days after acceptance and frees its coupons [spec/2 4.15]', async () => {
    const { ctx, id, requester, owner, offered, requested } = await dealOnItsClock();
    ctx.clock.advanceDays(10);
    await setExchangeStatus(actingAs(ctx, owner), { id, status: 'accepted' });
    ctx.clock.advanceDays(13.9);
    await expireDeals(ctx);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({ status: 'accepted' });
    ctx.clock.advanceDays(0.1);
    await expireDeals(ctx);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({
      status: 'cancelled',
      reason: 'deadline',
    });
    const { notice } = await lastToldTo(ctx, requester);
    expect(notice?.content).toMatch(/it was not completed within 14 days\.$/);
    const coupons = await inTransaction(ctx.db, (trx) => lockCoupons(trx, [offered.id, requested.id]));
    expect(coupons.map(({ heldBy }) => heldBy)).toEqual([null, null]);
  });

  it('logs a deal that cannot be ended now, and continues with the others', async () => {
    const [stuck, other] = [await dealOnItsClock(), await dealOnItsClock()];
    const log = { ...stuck.ctx.log, error: vi.fn() };
    stuck.ctx.clock.advanceDays(14);
    const { db, close } = connectTo(database, 2, { lock_timeout: 200 });
    await inTransaction(database.db, async (trx) => {
      await lockCoupons(trx, [stuck.requested.id]);
      await expireDeals({ ...stuck.ctx, db, log });
    });
    await close();
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ exchangeId: stuck.id }),
      'a deal whose time is up could not be ended',
    );
    expect(await exchangeById(actingAs(other.ctx, other.owner), other.id)).toMatchObject({
      status: 'cancelled',
    });
    await expireDeals(stuck.ctx);
    expect(await exchangeById(actingAs(stuck.ctx, stuck.owner), stuck.id)).toMatchObject({
      status: 'cancelled',
    });
  });

  it('ends the requests on a coupon the day after its last', async () => {
    const today = utcDay(createTestContext(database).clock());
    const { ctx, id, owner, offered } = await dealOnItsClock('pending', { expiryDate: today });
    const committed = await dealOnItsClock('accepted', { expiryDate: today });
    ctx.clock.set(new Date(`${today}T23:59:59.999Z`));
    await expireDeals(ctx);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({ status: 'pending' });
    ctx.clock.set(new Date(ctx.clock().getTime() + 1));
    await expireDeals(ctx);
    expect(await exchangeById(actingAs(ctx, owner), id)).toMatchObject({
      status: 'cancelled',
      reason: 'coupon_expired',
    });
    const { notice, line } = await lastToldTo(ctx, owner);
    expect(notice?.content).toContain(`was cancelled: “${offered.title}” has expired.`);
    expect(line?.action).toBe('expired');
    expect(await exchangeById(actingAs(ctx, committed.owner), committed.id)).toMatchObject({
      status: 'accepted',
    });
  });
});

describe('what a new deal may include', () => {
  const ctx = createTestContext(database);
  const wrongOwner = (ownerId: number) => (ownerId === 2 ? 'Not theirs' : null);
  const free: LockedCoupon = {
    ...{
      id: 1,
      ownerId: 1,
      title: 'Tea',
      isActive: true,
      deletedAt: null,
      category: 'food',
      expiresAt: null,
    },
    transferable: 'yes',
    ...{ isOpenToOffers: true, askingPrice: null, priceFloor: null, isSaleStopped: false, heldBy: null },
  };

  it.each<[string, Partial<LockedCoupon>, string]>([
    ['nobody has', { id: 2 }, 'not_found'],
    ['is deleted', { deletedAt: ctx.clock() }, 'not_found'],
    ['is of another person', { ownerId: 2 }, 'forbidden'],
    ['is not listed', { isActive: false }, 'coupon_unavailable'],
    ['another deal holds', { heldBy: 'bid' }, 'coupon_reserved'],
  ])('is no coupon that %s', (_, over, code) => {
    const find = () =>
      findOfferable([{ ...free, ...over }], { id: 1, path: 'couponId', at: ctx.clock(), wrongOwner });
    expect(find).toThrow(expect.objectContaining({ code }));
  });

  it('is a free one', () => {
    expect(findOfferable([free], { id: 1, path: 'couponId', at: ctx.clock(), wrongOwner })).toBe(free);
  });
});

describe('a decision', () => {
  const refusal = new AppError('conflict', 'No');

  it('gives its changes, or throws its refusal', () => {
    expect(changesOf(['free'])).toEqual(['free']);
    expect(() => changesOf(refusal)).toThrow(refusal);
  });

  it('knows the refusals of other rooms, but no faults', async () => {
    const fault = new TypeError('undefined');
    expect(await refusalOf(Promise.resolve())).toBeNull();
    expect(await refusalOf(Promise.reject(refusal))).toBe(refusal);
    await expect(refusalOf(Promise.reject(fault))).rejects.toBe(fault);
  });
});

it('all invariants hold', async () => {
  expect(await checkInvariants(database.db)).toEqual([]);
});
