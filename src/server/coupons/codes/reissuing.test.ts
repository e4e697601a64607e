import { expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { createBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { queueReissues } from './reissuing.ts';
import { revealCode } from './reveals.ts';

const ctx = setUpContext();
const able = () => ({
  ...ctx,
  providers: { ...ctx.providers, validators: { ...ctx.providers.validators, canReissue: () => true } },
});
const rowOf = (couponId: number) =>
  ctx.db.selectFrom('reissues').selectAll().where('couponId', '=', couponId).execute();

it('a code that is being made follows its coupon to the next owner', async () => {
  const { id: bidId, bidder, owner, coupon } = await createBid(ctx);
  const queue = (toUserId: number) =>
    inTransaction(ctx.db, (trx) =>
      queueReissues(trx, able(), {
        deal: { bidId },
        moves: [{ couponId: coupon.id, toUserId }],
        paid: [],
        at: ctx.clock(),
      }),
    );
  await queue(bidder.id);
  const [first] = await rowOf(coupon.id);
  // The stored code is retired, or will be.
  const look = revealCode(actingAs(ctx, owner), coupon.id);
  await expect(look).rejects.toMatchObject({ code: 'code_on_its_way' });
  await queue(owner.id);
  expect(await rowOf(coupon.id)).toEqual([{ ...first, receiverId: owner.id }]);
});

it('nothing is queued where no programme makes codes, or there is no code', async () => {
  const owner = await createUser(ctx);
  const { id: bidId } = await createBid(ctx);
  const [plain, bare] = [await createCoupon(ctx, owner), await createCoupon(ctx, owner, { code: null })];
  const moves = [{ couponId: plain.id, toUserId: owner.id }];
  const given = { deal: { bidId }, moves, paid: [], at: ctx.clock() };
  await inTransaction(ctx.db, (trx) => queueReissues(trx, ctx, given));
  const without = { ...given, moves: [{ couponId: bare.id, toUserId: owner.id }] };
  await inTransaction(ctx.db, (trx) => queueReissues(trx, able(), without));
  expect([await rowOf(plain.id), await rowOf(bare.id)]).toEqual([[], []]);
});
