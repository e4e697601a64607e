import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createVault, fingerprintKeyOf } from '#server/core/crypto.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { inTransaction } from '#server/database/client.ts';
import { createBid } from '#tests/support/bids.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpContext,
  TEST_SECRET_KEY,
} from '#tests/support/builders.ts';
import { queueReissues, resealNewCodes } from './reissuing.ts';
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
  const given = { deal: { bidId }, moves, at: ctx.clock() };
  await inTransaction(ctx.db, (trx) => queueReissues(trx, ctx, given));
  const without = { ...given, moves: [{ couponId: bare.id, toUserId: owner.id }] };
  await inTransaction(ctx.db, (trx) => queueReissues(trx, able(), without));
  expect([await rowOf(plain.id), await rowOf(bare.id)]).toEqual([[], []]);
});

it('new codes that wait are sealed under a newer key, and bound to their coupons', async () => {
  const { id: bidId, bidder, coupon } = await createBid(ctx);
  const moves = [{ couponId: coupon.id, toUserId: bidder.id }];
  await inTransaction(ctx.db, (trx) =>
    queueReissues(trx, able(), { deal: { bidId }, moves, at: ctx.clock() }),
  );
  const newKey = randomBytes(32);
  const fingerprints = fingerprintKeyOf(TEST_SECRET_KEY);
  const vault = createVault([newKey, TEST_SECRET_KEY], fingerprints);
  const [before] = await rowOf(coupon.id);
  for await (const { closed } of resealNewCodes({ db: ctx.db, vault })) expect(closed).toEqual([]);
  const [after] = await rowOf(coupon.id);
  const newest = createVault([newKey], fingerprints);
  const code = ctx.vault.open(before?.newCode ?? Buffer.of(), codeContext(coupon.id));
  expect(newest.open(after?.newCode ?? Buffer.of(), codeContext(coupon.id))).toBe(code);
  expect(code).toMatch(/^([2-9A-Z]{4}-){3}[2-9A-Z]{4}$/);
});
