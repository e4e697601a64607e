import { beforeEach, describe, expect, it } from 'vitest';
import { listCouponsInputSchema, updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { askAboutOffer } from '#server/coupons/codes/validation.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { inTransaction } from '#server/database/client.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { insertFeedback } from '#tests/support/feedback.ts';
import { isLockAwaited } from '#tests/support/races.ts';
import { CODE, MERCHANT, setUpVouchers } from '#tests/support/voucher-sandbox.ts';
import { healthOfCoupon, healthOfMerchant, refreshHealth, sweepHealth } from './service.ts';
import { countRecords } from './store.ts';

const { ctx, vouchers } = setUpVouchers();
let owner: Actor;
beforeEach(async () => {
  for (const table of ['codeFeedback', 'reporterRecords', 'codeOwners'] as const)
    await ctx.db.deleteFrom(table).execute();
  owner = await createUser(ctx);
});

const listed = () => createCoupon(ctx, owner, { merchant: MERCHANT, code: CODE });
async function stored(id: number) {
  await refreshHealth(ctx);
  const { health, checkedAt } = await couponById(ctx, id);
  return { health, checkedAt };
}
const UNKNOWN = { health: null, checkedAt: null };

/** What somebody says of the code, `daysAgo`. */
const say = (user: Actor, couponId: number, worked: boolean, daysAgo = 0) =>
  insertFeedback(ctx, { user, couponId, worked, at: addDays(ctx.clock(), -daysAgo) });
const recordOf = (user: Actor) =>
  ctx.db
    .selectFrom('reporterRecords')
    .select(['agreed', 'disagreed'])
    .where('userId', '=', user.id)
    .executeTakeFirst();

describe('what is known of a code', () => {
  it('is nothing at first; the answer of its merchant’s programme makes the figure, and says when', async () => {
    const { id } = await listed();
    expect(await stored(id)).toEqual(UNKNOWN);
    expect(await healthOfCoupon(ctx, id)).toEqual({ ...UNKNOWN, reasons: [] });
    await askAboutOffer(ctx, id);
    const at = ctx.clock().toISOString();
    expect(await stored(id)).toEqual({ health: 85, checkedAt: at });
    expect(await healthOfCoupon(ctx, id)).toEqual({
      health: 85,
      checkedAt: at,
      reasons: [{ kind: 'confirmed', days: 0 }],
    });
    ctx.clock.advanceDays(20);
    expect(await healthOfCoupon(ctx, id)).toMatchObject({ reasons: [{ kind: 'confirmed', days: 20 }] });
    // The lists follow the night after, in steps of five.
    expect(await sweepHealth(ctx)).toBe(1);
    const { health } = await stored(id);
    const exact = (await healthOfCoupon(ctx, id)).health ?? -1;
    expect([exact < 80, exact % 5 === 0, health]).toEqual([true, false, 5 * Math.round(exact / 5)]);
    // A figure that a night does not change is not computed again.
    ctx.clock.advanceDays(1);
    expect(await sweepHealth(ctx)).toBe(0);
    expect(await refreshHealth(ctx)).toBe(0);

    vouchers[CODE] = { error: 'quantity_exceeded' };
    await askAboutOffer(ctx, id);
    expect((await stored(id)).health).toBeLessThan(15);
    expect((await healthOfCoupon(ctx, id)).reasons).toEqual([{ kind: 'refused', days: 0 }]);
  });

  it('ends at once with another code, and with another owner until it is computed again', async () => {
    const { id } = await listed();
    await askAboutOffer(ctx, id);
    const { checkedAt } = await stored(id);
    const buyer = await createUser(ctx);
    await ctx.db.updateTable('coupons').set({ ownerId: buyer.id }).where('id', '=', id).execute();
    expect(await couponById(ctx, id)).toMatchObject({ health: null, checkedAt });
    expect(await stored(id)).toEqual({ health: 85, checkedAt });
    await updateCoupon(actingAs(ctx, buyer), updateCouponInputSchema.parse({ id, merchant: 'Bakery Lane' }));
    expect(await couponById(ctx, id)).toMatchObject(UNKNOWN);
    expect(await stored(id)).toEqual(UNKNOWN);
  });

  it('puts the most reliable first, and finds what was checked lately', async () => {
    const plain = await createCoupon(ctx, owner, { merchant: MERCHANT });
    const { id } = await listed();
    await askAboutOffer(ctx, id);
    await refreshHealth(ctx);
    const ids = async (input: object) => {
      const { items } = await listCoupons(ctx, listCouponsInputSchema.parse(input));
      return items.map((coupon) => coupon.id);
    };
    expect(await ids({ sort: 'reliable' })).toEqual([id, plain.id]);
    expect(await ids({ checkedDays: 7 })).toEqual([id]);
    ctx.clock.advanceDays(8);
    expect(await ids({ checkedDays: 7 })).toEqual([]);
  });
});

describe('what people say of a code', () => {
  it('is held against what its programme says, and what moderators decide', async () => {
    const { id } = await listed();
    const people = [];
    for (const _ of [1, 2, 3, 4]) people.push(await createUser(ctx));
    const [right, liar, early, late] = people as [Actor, Actor, Actor, Actor];
    await say(right, id, true, 2);
    await say(liar, id, false, 2);
    await askAboutOffer(ctx, id);
    await sweepHealth(ctx);
    expect(await recordOf(right)).toEqual({ agreed: 1, disagreed: 0 });
    expect(await recordOf(liar)).toEqual({ agreed: 0, disagreed: 1 });

    // It is used up later: whoever said before that it works was not wrong; whoever says so afterwards is.
    ctx.clock.advanceDays(1);
    await say(early, id, true);
    ctx.clock.advanceDays(1);
    vouchers[CODE] = { error: 'quantity_exceeded' };
    await askAboutOffer(ctx, id);
    ctx.clock.advanceDays(1);
    await say(late, id, true);
    await sweepHealth(ctx);
    expect(await recordOf(early)).toBeUndefined();
    expect(await recordOf(late)).toEqual({ agreed: 0, disagreed: 1 });
    expect(await recordOf(right)).toEqual({ agreed: 1, disagreed: 0 });
  });

  it('may be counted by two programs at once', async () => {
    const { id } = await listed();
    await say(owner, id, false, 1);
    vouchers[CODE] = { error: 'quantity_exceeded' };
    await askAboutOffer(ctx, id);
    const second = await inTransaction(ctx.db, async (trx) => {
      await countRecords(trx, addDays(ctx.clock(), -2));
      const sweep = sweepHealth(ctx);
      await expect.poll(() => isLockAwaited(ctx)).toBe(true);
      return { sweep };
    });
    await second.sweep;
    expect(await recordOf(owner)).toEqual({ agreed: 1, disagreed: 0 });
  });
});

it('a merchant’s figure has its programme’s answers and one vote a person', async () => {
  expect(await healthOfMerchant(ctx, { name: 'Nobody Knows' })).toEqual({
    ...{ health: null, checked: 0, valid: 0, worked: 0, failed: 0 },
  });
  const first = await listed();
  const second = await createCoupon(ctx, owner, { merchant: MERCHANT });
  for (const { id } of [first, second]) await askAboutOffer(ctx, id);
  const [happy, unhappy] = [await createUser(ctx), await createUser(ctx)];
  for (const { id } of [first, second]) await say(happy, id, true);
  await say(unhappy, second.id, false);
  await refreshHealth(ctx);
  await sweepHealth(ctx);
  const figure = await healthOfMerchant(ctx, { name: MERCHANT.toUpperCase() });
  expect(figure).toMatchObject({ checked: 2, valid: 1, worked: 1, failed: 1 });
  expect(figure.health).toBeGreaterThan(20);
  expect(figure.health).toBeLessThan(60);
  // What is older than 90 days is forgotten.
  ctx.clock.advanceDays(91);
  await sweepHealth(ctx);
  expect(await healthOfMerchant(ctx, { name: MERCHANT })).toMatchObject({ health: null });
});
