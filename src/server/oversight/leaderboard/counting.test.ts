import { beforeEach, describe, expect, it } from 'vitest';
import { registerInputSchema } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { listRatingsOf } from '#server/deals/ratings/service.ts';
import { login, register } from '#server/people/accounts/signing-in.ts';
import { createCoupon, createUser, setUpFreshContext, TEST_PASSWORD } from '#tests/support/builders.ts';
import { createRing, move, propose } from '#tests/support/exchanges.ts';
import { completeExchange, completeSaleOf, rate, undoSale } from '#tests/support/ratings.ts';
import { refreshLeaderboard, scoresOf } from './service.ts';

/** Which deals and ratings give points (decisions 5.6): between two people, once a pair, and not for what comes back. */

const ctx = setUpFreshContext();
let anna: Actor;
let ben: Actor;
beforeEach(async () => {
  [anna, ben] = [await createUser(ctx), await createUser(ctx)];
});

const reputationOf = async ({ id }: Actor) => (await scoresOf(ctx.db, [id], ctx.clock())).get(id);
const pointsOf = async (person: Actor) => (await reputationOf(person))?.scores;

/** Signs a person in, from an address and in a browser. @returns what the browser keeps */
async function signIn({ username }: Actor, ip: string, device: string | null = null): Promise<string> {
  const input = { username, password: TEST_PASSWORD };
  return (await login({ ...ctx, ip }, input, null, device)).device.token;
}

const registerInput = (username: string) =>
  registerInputSchema.parse({
    username,
    email: `${username}@example.org`,
    password: 'a meadow after rain',
    acceptTerms: true,
    isAdult: true,
  });

async function rateEachOther(one: Actor, two: Actor, ofTwo: number, ofOne = ofTwo): Promise<void> {
  const deal = await completeExchange(ctx, one, two);
  await rate(ctx, one, deal, ofTwo);
  await rate(ctx, two, deal, ofOne);
}

async function dealInAllWays(): Promise<void> {
  await rateEachOther(anna, ben, 10);
  await completeSaleOf(ctx, anna, ben);
}

const NOTHING = { exchanges: 0, bids: 0, ratings: 0, overall: 0 };

describe('two accounts', () => {
  it('that were used in one browser give each other nothing, whether it was before their deals or after', async () => {
    await dealInAllWays();
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 20, ratings: 75 });
    const browser = await signIn(anna, '192.0.2.10');
    await signIn(ben, '192.0.2.11', browser);
    for (const person of [anna, ben]) {
      expect(await reputationOf(person)).toMatchObject({
        scores: NOTHING,
        // All their deals are shown all the same.
        successfulExchanges: 1,
        acceptedBids: 1,
        averageRating: null,
      });
    }
    // An account that is opened in that browser is no other.
    const { user } = await register(ctx, registerInput('third-account'), null, browser);
    await ctx.db
      .updateTable('users')
      .set({ emailVerifiedAt: ctx.clock() })
      .where('id', '=', user.id)
      .execute();
    await completeExchange(ctx, anna, { ...anna, id: user.id, username: user.username });
    expect(await pointsOf(anna)).toMatchObject(NOTHING);
    // Other people's browsers are no matter.
    await rateEachOther(anna, await createUser(ctx), 9);
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 20, ratings: 73.3 });
  });

  it.each([
    ['one address', '192.0.2.10', '192.0.2.10', NOTHING],
    ['one network of IPv6', '2001:db8:0:7::1', '2001:db8:0:7::2', NOTHING],
    ['different addresses', '192.0.2.10', '192.0.2.11', { exchanges: 20, ratings: 75 }],
    ['this machine, as behind an unknown proxy', '127.0.0.1', '127.0.0.1', { exchanges: 20, ratings: 75 }],
  ])('that signed in at %s', async (_, one, other, points) => {
    await signIn(anna, one);
    await signIn(ben, other);
    await dealInAllWays();
    expect(await pointsOf(anna)).toMatchObject(points);
    expect(await pointsOf(ben)).toMatchObject(points);
    // What was seen is not forgotten with the sign-ins.
    await ctx.db.deleteFrom('signIns').execute();
    expect(await pointsOf(anna)).toMatchObject(points);
  });

  it('of which one has no confirmed address give each other nothing until it is confirmed', async () => {
    await dealInAllWays();
    const benIs = (columns: object) =>
      ctx.db.updateTable('users').set(columns).where('id', '=', ben.id).execute();
    await benIs({ emailVerifiedAt: null });
    expect(await pointsOf(anna)).toMatchObject(NOTHING);
    expect(await pointsOf(ben)).toMatchObject(NOTHING);
    await benIs({ emailVerifiedAt: ctx.clock() });
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 20, ratings: 75 });
  });
});

describe('a pair', () => {
  it('counts once, whatever they deal in; a sale that is undone makes way for the next deal', async () => {
    const sale = await completeSaleOf(ctx, anna, ben);
    for (let turn = 0; turn < 3; turn += 1) await completeExchange(ctx, ben, anna);
    expect(await pointsOf(anna)).toMatchObject({ bids: 15, exchanges: 0, overall: 15 });
    expect(await reputationOf(ben)).toMatchObject({
      scores: { overall: 15 },
      successfulExchanges: 3,
      acceptedBids: 1,
    });
    await undoSale(ctx, sale);
    expect(await pointsOf(anna)).toMatchObject({ bids: 0, exchanges: 20, overall: 20 });
    await completeExchange(ctx, anna, await createUser(ctx));
    expect(await pointsOf(anna)).toMatchObject({ exchanges: 40, overall: 40 });
  });

  it('counts with the latest rating of each; all are shown', async () => {
    await rateEachOther(anna, ben, 10);
    await rateEachOther(anna, ben, 4, 9);
    expect(await reputationOf(ben)).toMatchObject({ ratingCount: 1, averageRating: 4 });
    expect(await reputationOf(anna)).toMatchObject({ ratingCount: 1, averageRating: 9 });
    const { items } = await listRatingsOf(ctx, { id: ben.id, page: 1, limit: 10 });
    expect(items.map(({ rating }) => rating)).toEqual([4, 10]);
    // A newer one that is still hidden changes nothing.
    await rate(ctx, anna, await completeExchange(ctx, anna, ben), 8);
    expect(await reputationOf(ben)).toMatchObject({ ratingCount: 1, averageRating: 4 });
    ctx.clock.advanceDays(7);
    expect(await reputationOf(ben)).toMatchObject({ ratingCount: 1, averageRating: 8 });
  });
});

it('gives nothing for a coupon that comes back, also over others', async () => {
  const carla = await createUser(ctx);
  const wanderer = await createCoupon(ctx, anna);
  const give = async (giver: Actor, receiver: Actor) => {
    const requested = await createCoupon(ctx, receiver);
    const { id } = await propose(ctx, giver, { offered: wanderer, requested });
    await move(ctx, receiver, id, 'accepted');
    await move(ctx, receiver, id, 'completed');
  };
  await give(anna, ben);
  await give(ben, carla);
  await give(carla, anna);
  // Carla got something new from Anna; Anna only what she had.
  expect(await pointsOf(carla)).toMatchObject({ exchanges: 40 });
  expect(await pointsOf(anna)).toMatchObject({ exchanges: 20 });
});

it('counts each of a ring with the person who gave to them', async () => {
  const { id, author, people } = await createRing(ctx, { consents: 2 });
  await move(ctx, author.actor, id, 'completed');
  for (const { actor } of people) expect(await pointsOf(actor)).toMatchObject({ exchanges: 20 });
});

it('tells partners with how many people somebody has dealt, as of the last refresh', async () => {
  await completeExchange(ctx, anna, ben);
  await completeSaleOf(ctx, ben, anna);
  await completeSaleOf(ctx, anna, await createUser(ctx));
  await refreshLeaderboard(ctx);
  const offered = await createCoupon(ctx, anna);
  const requested = await createCoupon(ctx, ben);
  const { id } = await propose(ctx, anna, { offered, requested });
  const { parties } = await exchangeById({ ...ctx, actor: ben }, id);
  expect(parties.map(({ dealPartners }) => dealPartners)).toEqual([2, 1]);
});
