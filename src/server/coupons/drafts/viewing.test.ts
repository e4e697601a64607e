import { beforeEach, describe, expect, it } from 'vitest';
import { createCouponInputSchema } from '#contract/coupons/coupons.ts';
import { BLANK_COUPON } from '#contract/coupons/read-coupons.ts';
import type { Actor, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { readImage, storeImage } from '#server/coupons/images/images.ts';
import { imageUrl } from '#server/coupons/images/view.ts';
import { createCoupon } from '#server/coupons/publishing/service.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { sealDraft } from './view.ts';
import { openDrafts } from './viewing.ts';

const database = setUpDatabase();
const CODE = 'MAILED-7';
const NEW_COUPON = {
  ...{
    title: 'A fifth off',
    description: 'Valid at every branch.',
    value: 2_000,
    discountType: 'percentage',
  },
  ...{ merchant: 'Roots', category: 'retail', hasNoExpiry: true },
};
let ctx: TestContext;
let owner: Actor;
let draftId: number;
let imageId: string;

beforeEach(async () => {
  ctx = createTestContext(database);
  owner = await createUser(ctx);
  const at = ctx.clock();
  const picture = {
    contentType: 'image/webp',
    width: 1,
    height: 1,
    bytes: Buffer.from('x'),
    codes: [],
    facts: null,
  } as const;
  imageId = await storeImage(ctx, 'barcode', picture, owner.id);
  await ctx.db
    .updateTable('images')
    .set({ keptUntil: addDays(at, 30) })
    .where('id', '=', imageId)
    .execute();
  const mail = { userId: owner.id, messageKey: String(owner.id).padEnd(64, '0'), receivedAt: at };
  const { id: mailId } = await ctx.db
    .insertInto('inboundMails')
    .values(mail)
    .returning('id')
    .executeTakeFirstOrThrow();
  const read = {
    coupon: { ...BLANK_COUPON, code: CODE },
    doubts: {},
    picture: { url: imageUrl(imageId), kind: 'barcode' as const, hasCode: true },
  };
  const sealed = sealDraft(ctx.vault, mailId, read, { from: 'Roots', subject: 'Your voucher' });
  const draft = { userId: owner.id, place: 1, mailId, imageId, sealed, createdAt: at };
  ({ id: draftId } = await ctx.db
    .insertInto('couponDrafts')
    .values(draft)
    .returning('id')
    .executeTakeFirstOrThrow());
});

const browser = (given: Partial<MemberContext> = {}): MemberContext => ({
  ...actingAs(ctx, owner),
  ...given,
});
const views = () =>
  ctx.db
    .selectFrom('draftViews')
    .select('address')
    .where('draftId', '=', draftId)
    .orderBy('revealedAt')
    .execute();

describe('the code of a draft', () => {
  it('and its picture need the second factor in a new browser, as a coupon’s do', async () => {
    await ctx.db
      .insertInto('secondFactors')
      .values({ userId: owner.id, secret: Buffer.from('x'), createdAt: ctx.clock(), enabledAt: ctx.clock() })
      .execute();
    const fresh = browser({ session: { isNewBrowser: true, confirmedAt: null } });
    const REQUIRED = { code: 'second_factor_required' };
    await expect(openDrafts(fresh)).rejects.toMatchObject(REQUIRED);
    await expect(readImage(fresh, imageId)).rejects.toMatchObject(REQUIRED);
    expect(await views()).toEqual([]);
    expect(
      await openDrafts(browser({ session: { isNewBrowser: true, confirmedAt: ctx.clock() } })),
    ).toHaveLength(1);
  });

  it('is seen once a day by a browser at an address, and its views are those of the coupon that it becomes', async () => {
    const there = browser({ ip: '203.0.113.7' });
    for (const who of [browser({ ip: '203.0.113.1' }), there, there])
      expect(await openDrafts(who)).toMatchObject([{ coupon: { code: CODE } }]);
    await readImage(there, imageId);
    ctx.clock.advanceDays(2);
    await readImage(there, imageId);
    const addresses = ['203.0.113.1', '203.0.113.7', '203.0.113.7'].map((address) => ({ address }));
    expect(await views()).toEqual(addresses);
    const { id } = await createCoupon(
      there,
      createCouponInputSchema.parse({ ...NEW_COUPON, codeValue: CODE, draftId }),
    );
    const reveals = ctx.db.selectFrom('couponReveals').select('address').where('couponId', '=', id);
    expect(await reveals.orderBy('id').execute()).toEqual(addresses);
    expect(await views()).toEqual([]);
  });
});
