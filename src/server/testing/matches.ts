import type { Context } from '#server/domains/context.ts';
import { createCoupon } from './builders.ts';

/** Stores an open match in which each person gives a new coupon to the next. @returns its id, and the coupons' */
export async function insertMatch(
  ctx: Context,
  people: readonly { readonly id: number }[],
): Promise<{ id: number; couponIds: number[] }> {
  const at = ctx.clock();
  const legs = [];
  for (const [place, giver] of people.entries()) {
    const receiver = people[(place + 1) % people.length] ?? giver;
    const coupon = await createCoupon(ctx, giver);
    legs.push({ place, couponId: coupon.id, giverId: giver.id, receiverId: receiver.id });
  }
  const { id } = await ctx.db
    .insertInto('matches')
    .values({
      key: legs.map(({ couponId, giverId, receiverId }) => `${couponId}:${giverId}>${receiverId}`).join(' '),
      size: legs.length,
      state: 'open',
      isExplicit: false,
      score: 1,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('matchLegs')
    .values(legs.map((leg) => ({ ...leg, matchId: id, slot: 1 })))
    .execute();
  await ctx.db
    .insertInto('matchEdges')
    .values(
      legs.map(({ couponId, giverId, receiverId }) => {
        return { couponId, ownerId: giverId, takerId: receiverId, givesSome: false, searchedAt: at };
      }),
    )
    .execute();
  return { id, couponIds: legs.map(({ couponId }) => couponId) };
}
