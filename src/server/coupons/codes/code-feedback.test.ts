import { describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createBid, paySale } from '#tests/support/bids.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, move } from '#tests/support/exchanges.ts';
import { feedbackOn, giveFeedback } from './code-feedback.ts';

const ctx = setUpContext();
const tell = (who: Actor, id: number, worked: boolean) => giveFeedback(actingAs(ctx, who), { id, worked });
const seenBy = (who: Actor, id: number) => feedbackOn(actingAs(ctx, who), id);
const forbidden = { code: 'forbidden' };

describe('whether the code of a coupon worked', () => {
  it('is said by both new owners after an exchange, and by nobody else [spec/3 2.24]', async () => {
    const { id, requester, owner, offered, requested } = await createDeal(ctx, 'accepted');
    await expect(tell(requester, requested.id, true)).rejects.toMatchObject(forbidden);
    await move(ctx, requester, id, 'completed');
    const at = ctx.clock().toISOString();
    expect(await tell(requester, requested.id, true)).toEqual({
      worked: 1,
      failed: 0,
      lastWorkedAt: at,
      own: true,
      mayGive: true,
      confirmedAt: null,
    });
    expect(await tell(owner, offered.id, false)).toMatchObject({ worked: 0, failed: 1, own: false });
    // The people who listed them.
    await expect(tell(owner, requested.id, true)).rejects.toMatchObject(forbidden);
    await expect(tell(requester, offered.id, true)).rejects.toMatchObject(forbidden);
    expect(await seenBy(await createUser(ctx), requested.id)).toEqual({
      worked: 1,
      failed: 0,
      lastWorkedAt: at,
      own: null,
      mayGive: false,
      confirmedAt: null,
    });
    expect(await feedbackOn(ctx, offered.id)).toMatchObject({ failed: 1, own: null, mayGive: false });
    expect(await tell(requester, requested.id, false)).toMatchObject({ worked: 0, failed: 1, own: false });
  });

  it('is said by the buyer after a paid bid, but not once they have edited it', async () => {
    const { id, bidder, owner, coupon } = await createBid(ctx, 'accepted');
    await paySale(ctx, id);
    expect(await tell(bidder, coupon.id, true)).toMatchObject({ worked: 1, mayGive: true });
    await expect(tell(owner, coupon.id, false)).rejects.toMatchObject(forbidden);
    ctx.clock.advanceDays(1);
    await ctx.db.updateTable('coupons').set({ updatedAt: ctx.clock() }).where('id', '=', coupon.id).execute();
    await expect(tell(bidder, coupon.id, true)).rejects.toMatchObject(forbidden);
    ctx.clock.advanceDays(31);
    expect(await seenBy(owner, coupon.id)).toMatchObject({
      worked: 0,
      failed: 0,
      lastWorkedAt: expect.any(String),
    });
  });
});
