import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { insertFeedback } from '#tests/support/feedback.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { healthOfCoupon, refreshHealth } from './service.ts';
import { listKnown } from './store.ts';

const ctx = setUpContext();

it('a report says whether its author owns the code, or deals mostly with the owner', async () => {
  const [owner, stranger, regular, other] = [
    await createUser(ctx),
    await createUser(ctx),
    await createUser(ctx),
    await createUser(ctx),
  ];
  const { id } = await createCoupon(ctx, owner);
  // The regular has met the owner twice, and nobody else; the stranger somebody else.
  for (const _ of [1, 2]) await completeExchange(ctx, owner, regular);
  await completeExchange(ctx, stranger, other);
  await completeExchange(ctx, stranger, owner);
  const say = (user: Actor) => insertFeedback(ctx, { user, couponId: id, worked: true, at: ctx.clock() });
  for (const user of [owner, regular, stranger]) await say(user);
  const [known] = await listKnown(ctx.db, [id], ctx.clock());
  const NEW = { worked: true, ageDays: 0, agreed: 0, disagreed: 0 };
  expect(known?.evidence.reports).toHaveLength(3);
  expect(known?.evidence.reports).toEqual(
    expect.arrayContaining([
      { ...NEW, isByOwner: true, dealsWithOwner: 0, otherDeals: 3, outsideDeals: 1 },
      { ...NEW, isByOwner: false, dealsWithOwner: 2, otherDeals: 0, outsideDeals: 0 },
      { ...NEW, isByOwner: false, dealsWithOwner: 1, otherDeals: 1, outsideDeals: 1 },
    ]),
  );
  // The owner’s own word is no reason for others.
  expect((await healthOfCoupon(ctx, id)).reasons).toEqual([{ kind: 'worked', people: 2 }]);
});

it('a code that the programme has made for its owner has a figure at once', async () => {
  const owner = await createUser(ctx);
  const { id } = await createCoupon(ctx, owner);
  const reissuedAt = ctx.clock();
  await ctx.db.updateTable('coupons').set({ reissuedAt }).where('id', '=', id).execute();
  ctx.clock.advanceDays(2);
  await refreshHealth(ctx);
  expect(await couponById(ctx, id)).toMatchObject({ health: 85, checkedAt: null });
  expect((await healthOfCoupon(ctx, id)).reasons).toEqual([{ kind: 'reissued', days: 2 }]);
});
