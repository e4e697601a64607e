import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { createCoupon, createTestContext, createUser } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { json, MERCHANT, setUpVouchers, voucherifyAt } from '#tests/support/voucher-sandbox.ts';
import { checkOffers } from './checking.ts';

const { ctx, database, sandbox, vouchers } = setUpVouchers();
let owner: Actor;
beforeEach(async () => {
  await ctx.db.deleteFrom('validatorBudgets').execute();
  owner = await createUser(ctx);
});
afterEach(() => {
  for (const code of Object.keys(vouchers)) delete vouchers[code];
});

/** A context as after a restart, whose account has so many questions a day. */
function started(checksPerDay: number) {
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], checksPerDay, failuresToOpen: 2 });
  const validators = openValidators({ adapters: [adapter] });
  return createTestContext(database, { clock: ctx.clock, providers: { validators } });
}

/** Coupons on offer whose codes the programme knows. */
async function offers(count: number, given: Parameters<typeof createCoupon>[2] = {}) {
  const made = [];
  for (let n = 0; n < count; n += 1)
    made.push(await createCoupon(ctx, owner, { merchant: MERCHANT, ...given }));
  for (const { code } of made)
    vouchers[code ?? ''] = { discount: { type: 'AMOUNT', amount_off: 500 }, expires: '2035-12-31T00:00:00Z' };
  return made;
}

/** The coupons about which the programme was asked, in order. */
async function asked(): Promise<(number | null)[]> {
  const rows = await ctx.db.selectFrom('validations').select('couponId').orderBy('id').execute();
  return rows.map(({ couponId }) => couponId);
}

describe('codes on offer are checked again', () => {
  it('those first that have waited longest, and none twice within a day', async () => {
    const [first, second, third] = await offers(3);
    const base = started(2 * 24);
    expect(await checkOffers(base)).toEqual({ asked: 2, refused: 0 });
    expect(await checkOffers(base)).toEqual({ asked: 1, refused: 0 });
    expect(await checkOffers(base)).toEqual({ asked: 0, refused: 0 });
    expect(await asked()).toEqual([first?.id, second?.id, third?.id]);
    expect(await couponById(ctx, third?.id ?? 0)).toMatchObject({ isVerified: true });
    ctx.clock.advanceDays(1.01);
    await checkOffers(base);
    expect((await asked()).slice(3)).toEqual([first?.id, second?.id]);
  });

  it('never beyond the budget of the day, whatever is started again', async () => {
    await offers(6);
    // Four runs of one question, by four processes.
    for (const _ of [1, 2, 3, 4]) await checkOffers(started(3));
    expect(sandbox.asked.filter(({ url }) => url.includes('validations'))).toHaveLength(3);
    expect(await asked()).toHaveLength(3);
    await Promise.all([1, 2, 3].map(() => checkOffers(started(3))));
    expect(await asked()).toHaveLength(3);
    await checkOffers(started(0));
    ctx.clock.advanceDays(1);
    await checkOffers(started(0));
    expect(await asked()).toHaveLength(3);
    await checkOffers(started(3));
    expect(await asked()).toHaveLength(4);
  });

  it('not what a deal holds, is unlisted, is a public code or is another merchant’s', async () => {
    await offers(1, { isActive: false });
    await offers(1, { merchant: 'Bakery Lane' });
    await offers(1, { code: null });
    const [held] = await offers(1);
    const buyer = await createUser(ctx);
    const { id: bidId } = await ctx.db
      .insertInto('bids')
      .values({
        ...{
          couponId: held?.id ?? 0,
          bidderId: buyer.id,
          ownerId: owner.id,
          amount: '5.00',
          status: 'accepted',
        },
        ...{ createdAt: ctx.clock(), updatedAt: ctx.clock(), acceptedAt: ctx.clock() },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('couponReservations')
      .values({ couponId: held?.id ?? 0, bidId, createdAt: ctx.clock() })
      .execute();
    expect(await checkOffers(started(100))).toEqual({ asked: 0, refused: 0 });
    await ctx.db.deleteFrom('couponReservations').execute();
    await ctx.db.deleteFrom('bids').execute();
  });

  it('one question meets a programme that does not answer; the rest of the budget is kept', async () => {
    await offers(6);
    sandbox.answer(json({}, 500));
    expect(await checkOffers(started(24 * 5))).toEqual({ asked: 1, refused: 0 });
    const { asked: spent } = await ctx.db
      .selectFrom('validatorBudgets')
      .select('asked')
      .executeTakeFirstOrThrow();
    expect(spent).toBe(1);
  });

  it('a “no” takes the coupon off the lists, ends what is pending, and tells its owner once', async () => {
    const [dead] = await offers(1, { isVerified: true });
    vouchers[dead?.code ?? ''] = { error: 'quantity_exceeded' };
    const base = started(100);
    expect(await checkOffers(base)).toEqual({ asked: 1, refused: 1 });
    expect(await couponById(ctx, dead?.id ?? 0)).toMatchObject({ isVerified: false, isActive: false });
    const text = `Corner Coffee says that the code of “${dead?.title}” does not work, so we took the coupon off the list. If that is a mistake, edit the coupon and correct its code.`;
    expect(await noticesOf(ctx, owner)).toMatchObject([
      { content: text, subject: 'A code of yours no longer works' },
    ]);
    ctx.clock.advanceDays(2);
    expect(await checkOffers(base)).toEqual({ asked: 0, refused: 0 });
  });
});
