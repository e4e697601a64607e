import { randomUUID } from 'node:crypto';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import type { Match } from '#contract/deals/matches.ts';
import type { Actor, Context } from '#server/context/context.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { createWant } from '#server/coupons/wants/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { findMatches } from '#server/deals/matches/find-matches.ts';
import { listMatches } from '#server/deals/matches/service.ts';
import { actingAs, createCoupon, type TestContext } from './builders.ts';

interface Leg {
  readonly couponId: number;
  readonly giverId: number;
  readonly receiverId: number;
}

/** Stores an open match in which each person gives a new coupon to the next. @returns its id, and the coupons' */
export async function insertMatch(
  ctx: Context,
  people: readonly { readonly id: number }[],
): Promise<{ id: number; couponIds: number[] }> {
  const legs: Leg[] = [];
  for (const [place, giver] of people.entries()) {
    const receiver = people[(place + 1) % people.length] ?? giver;
    const coupon = await createCoupon(ctx, giver);
    legs.push({ couponId: coupon.id, giverId: giver.id, receiverId: receiver.id });
  }
  const id = await inTransaction(ctx.db, (trx) => insertMatchOf(trx, legs, ctx.clock()));
  return { id, couponIds: legs.map(({ couponId }) => couponId) };
}

/** Stores an open match of these legs, as the first on the lists of its people, and their edges. @returns its id */
export async function insertMatchOf(trx: Trx, legs: readonly Leg[], at: Date): Promise<number> {
  const { id } = await trx
    .insertInto('matches')
    .values({
      // Of its own, whatever the finder has found of these legs before.
      key: randomUUID(),
      size: legs.length,
      state: 'open',
      isExplicit: false,
      score: 1,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('matchLegs')
    .values(legs.map((leg, place) => ({ ...leg, place, matchId: id, slot: 1 })))
    .execute();
  await trx
    .insertInto('matchEdges')
    .values(
      legs.map(({ couponId, giverId, receiverId }) => {
        return { couponId, ownerId: giverId, takerId: receiverId, givesSome: false, searchedAt: at };
      }),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['couponId', 'takerId', 'wantId'])
        .doUpdateSet(({ ref }) => ({ ownerId: ref('excluded.ownerId') })),
    )
    .execute();
  return id;
}

let words = 0;

/** What people do until they have matches. */
export function matchingIn(ctx: TestContext) {
  /** A word that nothing else has. */
  const newWord = () => `yak${String.fromCharCode(97 + (words % 26), 97 + Math.floor(words++ / 26))}`;
  const want = (who: Actor, search: string, more: Record<string, unknown> = {}) =>
    createWant(actingAs(ctx, who), createWantInputSchema.parse({ search, gives: 'any', ...more }));
  const find = async () => {
    await notifyOfCoupons(ctx);
    await findMatches(ctx);
  };
  const mine = (who: Actor) => listMatches(actingAs(ctx, who));

  /** A match of two that is open. @returns the coupon and the want of each, and the match as the first sees it */
  async function swap(one: Actor, other: Actor, values: readonly [number, number] = [1_000, 1_000]) {
    const titles = [newWord(), newWord()] as const;
    const mines = await createCoupon(ctx, one, { title: titles[0], value: values[0] });
    const theirs = await createCoupon(ctx, other, { title: titles[1], value: values[1] });
    const wants = [await want(one, titles[1]), await want(other, titles[0])] as const;
    await find();
    const match: Match | undefined = (await mine(one))[0];
    if (!match) throw new Error('No match was found');
    return { mines, theirs, wants, match };
  }

  /** The states of the matches with a coupon. */
  const stateOf = async (couponId: number) => {
    const rows = await ctx.db
      .selectFrom('matchLegs')
      .innerJoin('matches', 'matches.id', 'matchId')
      .select('state')
      .where('couponId', '=', couponId)
      .execute();
    return rows.map(({ state }) => state);
  };

  return { newWord, want, find, mine, swap, stateOf };
}
