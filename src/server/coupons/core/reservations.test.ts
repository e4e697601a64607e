import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { inTransaction } from '#server/database/client.ts';
import { createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import {
  delistCoupon,
  holderOf,
  lockCoupons,
  reserveCoupons,
  transferCoupons,
  transferRefusal,
} from './reservations.ts';

const ctx = setUpContext();

describe('a coupon is held', () => {
  it.each([
    [undefined, null],
    [{ bidId: null, hasMoved: false }, 'exchange'],
    [{ bidId: 1, hasMoved: false }, 'bid'],
    [{ bidId: null, hasMoved: true }, 'protection'],
    [{ bidId: 1, hasMoved: true }, 'protection'],
  ])('by its deal until it has moved, then by the protection of its buyer (%#)', (reservation, holder) => {
    expect(holderOf(reservation)).toBe(holder);
  });

  it('as its lock says', async () => {
    const { requested, offered } = await createDeal(ctx, 'accepted');
    const free = await createDeal(ctx);
    const ids = [requested.id, offered.id, free.requested.id];
    const locked = await inTransaction(ctx.db, (trx) => lockCoupons(trx, ids));
    expect(locked.map(({ id, heldBy }) => [id, heldBy])).toEqual([
      [offered.id, 'exchange'],
      [requested.id, 'exchange'],
      [free.requested.id, null],
    ]);
  });
});

it.each([
  [[], [], null],
  [[1, 2], [2, 1], null],
  [[1, 2], [2], { code: 'deal_changed' }],
  [[1], [], { code: 'deal_changed' }],
])('coupons %j of which %j have moved are refused unless all have', (moves, moved, refusal) => {
  const given = moves.map((couponId) => ({ couponId }));
  if (refusal) expect(transferRefusal(given, moved)).toMatchObject(refusal);
  else expect(transferRefusal(given, moved)).toBeNull();
});

describe('reserving and moving', () => {
  it('refuses a coupon that is reserved already [spec/2 4.2]', async () => {
    const { id, requested } = await createDeal(ctx, 'accepted');
    const again = inTransaction(ctx.db, (trx) =>
      reserveCoupons(trx, { deal: { exchangeId: id }, couponIds: [requested.id], at: ctx.clock() }),
    );
    await expect(again).rejects.toMatchObject({
      code: 'coupon_reserved',
      message: TEXTS.exchanges.reserved(),
    });
  });

  it('refuses to transfer a coupon that the giver does not own', async () => {
    const { id, requester, owner, requested, offered } = await createDeal(ctx, 'accepted');
    const wrong = inTransaction(ctx.db, (trx) =>
      transferCoupons(trx, {
        deal: { exchangeId: id },
        moves: [
          { couponId: offered.id, fromUserId: requester.id, toUserId: owner.id },
          { couponId: requested.id, fromUserId: requester.id, toUserId: owner.id },
        ],
        at: ctx.clock(),
      }),
    );
    await expect(wrong).rejects.toMatchObject({ code: 'deal_changed' });
    const owners = await ctx.db
      .selectFrom('coupons')
      .select('ownerId')
      .where('id', 'in', [offered.id, requested.id])
      .orderBy('id')
      .execute();
    expect(owners).toEqual([{ ownerId: requester.id }, { ownerId: owner.id }]);
  });
});

it('a coupon that is taken off the lists while its owner is banned is not listed when the ban ends', async () => {
  const { id } = await createCoupon(ctx, await createUser(ctx), { isActive: false, isWithheld: true });
  await inTransaction(ctx.db, (trx) => delistCoupon(trx, id, ctx.clock()));
  const coupon = ctx.db.selectFrom('coupons').select(['isActive', 'isWithheld']).where('id', '=', id);
  expect(await coupon.executeTakeFirst()).toEqual({ isActive: false, isWithheld: false });
});
