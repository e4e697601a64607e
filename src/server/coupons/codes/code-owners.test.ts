import { beforeAll, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { lockCoupons, transferCoupons } from '#server/coupons/core/reservations.ts';
import { inTransaction } from '#server/database/client.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { insertFeedOffer } from '#tests/support/offers.ts';

const ctx = setUpContext();
let seller: Actor;
let buyer: Actor;

beforeAll(async () => {
  [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
});

const LISTED = { code: 'code_listed' };

/** Swaps the seller's coupon for one of the buyer's. */
async function swap(couponId: number): Promise<void> {
  const offered = await listCoupon(ctx, buyer);
  const offer = { requestedCouponId: couponId, offeredCouponId: offered.id, message: null };
  const { id } = await proposeExchange(actingAs(ctx, buyer), offer);
  for (const status of ['accepted', 'completed'] as const)
    await setExchangeStatus(actingAs(ctx, seller), { id, status });
}

/** Moves a coupon of the buyer's back, as a refund does. */
async function giveBack(couponId: number): Promise<void> {
  const at = ctx.clock();
  const { id: bidId } = await ctx.db
    .insertInto('bids')
    .values({
      couponId,
      bidderId: buyer.id,
      ownerId: seller.id,
      amount: '5.00',
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await inTransaction(ctx.db, async (trx) => {
    await lockCoupons(trx, [couponId]);
    const moves = [{ couponId, fromUserId: buyer.id, toUserId: seller.id }];
    await transferCoupons(trx, { deal: { bidId }, moves, isReturn: true, at });
  });
}

describe('a code that has changed hands', () => {
  it('belongs to its last owner, also when they have deleted the coupon', async () => {
    const code = { merchant: 'Opera', codeValue: 'BOX-77-ARIA' };
    const { id } = await listCoupon(ctx, seller, code);
    await swap(id);
    await removeCoupon(actingAs(ctx, buyer), id);
    for (const codeValue of [code.codeValue, 'box 77 aria'])
      await expect(listCoupon(ctx, seller, { ...code, codeValue })).rejects.toMatchObject(LISTED);
    await expect(listCoupon(ctx, await createUser(ctx), code)).rejects.toMatchObject(LISTED);
    await listCoupon(ctx, buyer, code);
  });

  it('is not listed by an edit of another coupon either', async () => {
    const code = { merchant: 'Opera', codeValue: 'BOX-78-ARIA' };
    const { id } = await listCoupon(ctx, seller, code);
    await swap(id);
    await removeCoupon(actingAs(ctx, buyer), id);
    const other = await listCoupon(ctx, seller, { merchant: 'Opera' });
    const edit = updateCouponInputSchema.parse({ id: other.id, codeValue: 'BOX78ARIA' });
    await expect(updateCoupon(actingAs(ctx, seller), edit)).rejects.toMatchObject(LISTED);
  });

  it('is the seller’s again when the sale is undone', async () => {
    const code = { merchant: 'Opera', codeValue: 'BOX-79-ARIA' };
    const { id } = await listCoupon(ctx, seller, code);
    await swap(id);
    await giveBack(id);
    await removeCoupon(actingAs(ctx, seller), id);
    await expect(listCoupon(ctx, buyer, code)).rejects.toMatchObject(LISTED);
    await listCoupon(ctx, seller, code);
  });
});

describe('a public code', () => {
  beforeAll(() => insertFeedOffer(ctx, { merchant: 'Tea House', code: 'SPRING20' }));

  it('that is typed in is kept for own use, on no list and without a price', async () => {
    const typed = { merchant: 'TEA HOUSE Ltd.', codeValue: 'spring-20', askingPrice: '3.00' };
    const coupon = await listCoupon(ctx, seller, typed);
    expect(coupon).toMatchObject({ category: 'imported', askingPrice: null });
    const row = ctx.db.selectFrom('coupons').select('isActive').where('id', '=', coupon.id);
    expect(await row.executeTakeFirst()).toEqual({ isActive: false });
    await expect(listCoupon(ctx, seller, typed)).rejects.toMatchObject(LISTED);
  });

  it('does not get into a listed coupon by an edit', async () => {
    const { id } = await listCoupon(ctx, seller, { merchant: 'Tea House' });
    const edit = updateCouponInputSchema.parse({ id, codeValue: 'SPRING.20' });
    await expect(updateCoupon(actingAs(ctx, seller), edit)).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'codeValue' }],
    });
  });
});
