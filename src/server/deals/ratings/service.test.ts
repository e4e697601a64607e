import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createRatingInputSchema } from '#contract/deals/ratings.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import type { Actor } from '#server/context/context.ts';
import { scoresOf } from '#server/oversight/leaderboard/service.ts';
import { deleteAccount } from '#server/oversight/moderation/leaving.ts';
import { createBid } from '#tests/support/bids.ts';
import { actingAs, createUser, setUpFreshContext, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createDeal, createRing, historyOf, move, noticesOf } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { loserOf, race } from '#tests/support/races.ts';
import {
  type CompletedDeal,
  completeExchange,
  completeSaleOf,
  rate,
  totalsOf,
  undoSale,
} from '#tests/support/ratings.ts';
import { countShownRatings, createRating, listRatingsOf, ratingsOfDeal } from './service.ts';

const database = setUpDatabase();
const ctx = setUpFreshContext(database);
let anna: Actor;
let ben: Actor;
afterAll(async () => expect(await checkInvariants(database.db)).toEqual([]));
beforeEach(async () => {
  [anna, ben] = [await createUser(ctx), await createUser(ctx)];
});

const PAGE = { page: 1, limit: 50 };
const listOf = async ({ id }: Actor) => (await listRatingsOf(ctx, { id, ...PAGE })).items;
const dealOf = (actor: Actor, deal: CompletedDeal) => ratingsOfDeal(actingAs(ctx, actor), deal);
const reputationOf = async ({ id }: Actor) => (await scoresOf(ctx.db, [id], ctx.clock())).get(id);

const NO_VISIBLE_RATING = { ratingCount: 0, averageRating: null, scores: { ratings: 0 } };

describe('rating a deal', () => {
  it('is possible once for each side of a completed exchange', async () => {
    const deal = await completeExchange(ctx, anna, ben);
    expect(await rate(ctx, anna, deal, 9, 'Quick and kind.')).toMatchObject({
      raterId: anna.id,
      raterUsername: anna.username,
      ratedUserId: ben.id,
      rating: 9,
      comment: 'Quick and kind.',
      dealType: 'exchange',
      isVisible: false,
      createdAt: '2035-06-15T12:00:00.000Z',
    });
    const again = rate(ctx, anna, deal, 2);
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      message: 'You have already rated this deal',
    });
    expect(await rate(ctx, ben, deal, 8)).toMatchObject({ ratedUserId: anna.id, isVisible: true });
    await expect(rate(ctx, ben, deal, 1)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is possible for buyer and seller of a completed sale, and gives verified ratings [spec/1 3.23]', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    await rate(ctx, anna, deal, 10);
    expect(await rate(ctx, ben, deal, 10)).toMatchObject({ dealType: 'bid', ratedUserId: anna.id });
    const written = ctx.db.selectFrom('userRatings').select('isVerified').where('raterId', '=', anna.id);
    expect(await written.execute()).toEqual([{ isVerified: true }]);
  });

  it('is refused before the deal is completed, with its state [decisions 5.5.1]', async () => {
    const { id: dealId, requester, owner } = await createDeal(ctx);
    const refusal = (text: string) => ({ code: 'deal_changed', status: 409, message: text });
    const deal = { dealType: 'exchange', dealId } as const;
    const only = 'You can rate only completed deals.';
    await expect(rate(ctx, requester, deal, 5)).rejects.toMatchObject(
      refusal(`This exchange is still pending. ${only}`),
    );
    await move(ctx, owner, dealId, 'accepted');
    await expect(rate(ctx, owner, deal, 5)).rejects.toMatchObject(
      refusal(`This exchange is already accepted. ${only}`),
    );
    await move(ctx, owner, dealId, 'cancelled');
    await expect(rate(ctx, owner, deal, 5)).rejects.toMatchObject(
      refusal(`This exchange is already cancelled. ${only}`),
    );
    expect(await dealOf(owner, deal)).toMatchObject({ canRate: false, mine: null, theirs: null });

    const bid = await createBid(ctx, 'accepted');
    await expect(rate(ctx, bid.bidder, { dealType: 'bid', dealId: bid.id }, 5)).rejects.toMatchObject(
      refusal(`This bid is already accepted. ${only}`),
    );
  });

  it('is refused after a refund, but earlier ratings stay', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    await rate(ctx, anna, deal, 2, 'Spent already.');
    await undoSale(ctx, deal);
    await expect(rate(ctx, ben, deal, 1)).rejects.toMatchObject({
      code: 'deal_changed',
      message: 'This sale was undone and the money went back. You can no longer rate it.',
    });
    expect(await dealOf(ben, deal)).toMatchObject({ canRate: false, theirs: null });
    ctx.clock.advanceDays(7);
    expect(await listOf(ben)).toMatchObject([{ rating: 2, comment: 'Spent already.' }]);
  });

  it('accepts whole numbers from 1 to 10 and comments without control characters [spec/1 3.12 9.9]', () => {
    const parse = (fields: object) =>
      createRatingInputSchema.safeParse({ dealType: 'bid', dealId: 1, rating: 5, ...fields }).success;
    expect([1, 10].map((rating) => parse({ rating }))).toEqual([true, true]);
    expect([0, 11, 5.5, '5'].map((rating) => parse({ rating }))).toEqual([false, false, false, false]);
    expect(parse({ comment: 'x'.repeat(1_000) })).toBe(true);
    expect(parse({ comment: 'x'.repeat(1_001) })).toBe(false);
    expect(parse({ comment: 'bell \u0007' })).toBe(false);
  });
});

describe('a rating whose deal the other side has not rated', () => {
  it('is visible only to its writer [spec/3 2.50] [decisions 5.5.2]', async () => {
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 3, 'Came late.');
    expect(await dealOf(anna, deal)).toMatchObject({
      canRate: false,
      otherUsername: ben.username,
      mine: { rating: 3, comment: 'Came late.', isVisible: false },
      theirs: null,
    });
    expect(await dealOf(ben, deal)).toMatchObject({ canRate: true, mine: null, theirs: null });
    expect(await listOf(ben)).toEqual([]);
    expect((await listRatingsOf(ctx, { id: ben.id, ...PAGE })).total).toBe(0);
    expect(await totalsOf(ctx, ben)).toEqual({ ratingCount: 0, totalRating: 0 });
    expect(await reputationOf(ben)).toMatchObject(NO_VISIBLE_RATING);
  });

  it('is announced to the rated person without its content', async () => {
    const deal = await completeSaleOf(ctx, anna, ben);
    await rate(ctx, anna, deal, 4, 'Grumpy.');
    const notice = (await noticesOf(ctx, ben)).at(-1);
    expect(notice).toMatchObject({
      type: 'other',
      link: '/profile',
      subject: 'You have a new rating',
      content: `${anna.username} rated your sale. You will see the rating once you have rated them too, or in 7 days.`,
    });
    expect((await historyOf(ctx, anna)).at(-1)).toEqual({
      action: 'updated',
      actorId: anna.id,
      details: `You rated your sale with ${ben.username}.`,
    });
    expect((await historyOf(ctx, ben)).at(-1)).toEqual({
      action: 'updated',
      actorId: anna.id,
      details: `${anna.username} rated your sale.`,
    });
  });

  it('becomes visible after seven days, and counts after the job has run [spec/3 2.50]', async () => {
    // Move past the ratings that other tests have left.
    ctx.clock.advanceDays(100);
    await countShownRatings(ctx);
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 7);
    ctx.clock.advanceDays(6.999);
    expect(await countShownRatings(ctx)).toBe(0);
    expect(await listOf(ben)).toEqual([]);
    ctx.clock.advanceDays(0.001);
    expect(await listOf(ben)).toMatchObject([{ rating: 7, isVisible: true }]);
    expect(await dealOf(ben, deal)).toMatchObject({ canRate: true, theirs: { rating: 7 } });
    expect(await reputationOf(ben)).toMatchObject({ ratingCount: 1, averageRating: 7 });
    // Two concurrent runs count nothing twice.
    const counted = await Promise.all([countShownRatings(ctx), countShownRatings(ctx)]);
    expect(counted[0] + counted[1]).toBe(1);
    expect(await countShownRatings(ctx)).toBe(0);
    expect(await totalsOf(ctx, ben)).toEqual({ ratingCount: 1, totalRating: 7 });
    // The second rating, given after the first was visible, shows at once; the first is not counted again.
    await rate(ctx, ben, deal, 6);
    expect(await totalsOf(ctx, anna)).toEqual({ ratingCount: 1, totalRating: 6 });
    expect(await totalsOf(ctx, ben)).toEqual({ ratingCount: 1, totalRating: 7 });
  });
});

describe('the ratings of a deal that both sides have rated', () => {
  it('are visible to everybody and counted at once', async () => {
    const deal = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, deal, 9, 'Lovely.');
    ctx.clock.advanceDays(1);
    await rate(ctx, ben, deal, 5);
    expect((await noticesOf(ctx, anna)).at(-1)?.content).toBe(
      `${ben.username} rated your exchange. You can both see the ratings now.`,
    );
    expect(await listOf(ben)).toMatchObject([
      { rating: 9, comment: 'Lovely.', raterUsername: anna.username },
    ]);
    expect(await listOf(anna)).toMatchObject([{ rating: 5, comment: null }]);
    expect(await dealOf(ben, deal)).toMatchObject({ mine: { rating: 5 }, theirs: { rating: 9 } });
    expect(await totalsOf(ctx, ben)).toEqual({ ratingCount: 1, totalRating: 9 });
    expect(await totalsOf(ctx, anna)).toEqual({ ratingCount: 1, totalRating: 5 });
    ctx.clock.advanceDays(30);
    expect(await countShownRatings(ctx)).toBe(0);
    expect(await reputationOf(ben)).toMatchObject({ ratingCount: 1, averageRating: 9 });
  });

  it('show nothing that one of them has written about the third person of a ring', async () => {
    const { id: dealId, author, second, third } = await createRing(ctx, { consents: 2 });
    await move(ctx, author.actor, dealId, 'completed');
    const write = (rater: Actor, rated: Actor, rating: number) =>
      createRating(actingAs(ctx, rater), {
        ...{ dealType: 'exchange', dealId, otherId: rated.id, rating, comment: null },
      });
    await write(author.actor, third.actor, 2);
    await write(author.actor, second.actor, 9);
    await write(second.actor, author.actor, 8);
    expect(await listOf(second.actor)).toMatchObject([{ rating: 9 }]);
    expect(await listOf(third.actor)).toEqual([]);
  });

  it('are both visible and counted if both sides rate at the same time', async () => {
    for (let round = 0; round < 12; round += 1) {
      const [one, two] = [await createUser(ctx), await createUser(ctx)];
      const deal = await (round % 2 ? completeSaleOf(ctx, one, two) : completeExchange(ctx, one, two));
      const results = await race(
        round,
        () => rate(ctx, one, deal, 10),
        () => rate(ctx, two, deal, 1),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      expect(await listOf(two)).toMatchObject([{ rating: 10 }]);
      expect(await listOf(one)).toMatchObject([{ rating: 1 }]);
      expect(await totalsOf(ctx, two)).toEqual({ ratingCount: 1, totalRating: 10 });
      expect(await totalsOf(ctx, one)).toEqual({ ratingCount: 1, totalRating: 1 });
    }
  });

  it('are one per side, even if a side submits twice at once [decisions 5.5.1]', async () => {
    for (let round = 0; round < 6; round += 1) {
      const deal = await completeExchange(ctx, anna, ben);
      const lost = loserOf(
        ...(await race(
          round,
          () => rate(ctx, anna, deal, 10),
          () => rate(ctx, anna, deal, 9),
        )),
      );
      expect(lost.message).toBe('You have already rated this deal');
    }
  });
});

describe('the list of a person’s ratings', () => {
  it('starts with the most recently visible ratings, in pages [decisions 5.5.3]', async () => {
    for (const [rating, days] of [
      [1, 0],
      [2, 3],
      [3, 5],
    ] as const) {
      ctx.clock.advanceDays(days);
      await rate(ctx, anna, await completeExchange(ctx, anna, ben), rating);
    }
    const answered = await completeExchange(ctx, anna, ben);
    await rate(ctx, anna, answered, 4);
    await rate(ctx, ben, answered, 4);
    // The first became visible a day before the second; two are still hidden.
    expect((await listOf(ben)).map(({ rating }) => rating)).toEqual([4, 1]);
    ctx.clock.advanceDays(7);
    expect((await listOf(ben)).map(({ rating }) => rating)).toEqual([3, 2, 4, 1]);
    const second = await listRatingsOf(ctx, { id: ben.id, page: 2, limit: 3 });
    expect(second).toMatchObject({ items: [{ rating: 1 }], total: 4, totalIsCapped: false });
  });

  it('exists for suspended people, but not for banned, deleted or unknown ones', async () => {
    const refusal = { code: 'not_found', message: 'User not found' };
    const banned = await createUser(ctx, { status: 'banned' });
    const gone = await createUser(ctx, { deletedAt: ctx.clock() });
    const suspended = await createUser(ctx, { status: 'suspended' });
    await expect(listOf(banned)).rejects.toMatchObject(refusal);
    await expect(listOf(gone)).rejects.toMatchObject(refusal);
    await expect(listOf({ ...gone, id: 999_999 })).rejects.toMatchObject(refusal);
    expect(await listOf(suspended)).toEqual([]);
  });

  it('does not notify a deleted person of a rating', async () => {
    const deal = await completeExchange(ctx, anna, ben);
    ctx.clock.advanceDays(CLAIM_HOURS / 24);
    await deleteAccount(actingAs(ctx, ben), { confirmPassword: TEST_PASSWORD });
    const before = (await noticesOf(ctx, ben)).length;
    await rate(ctx, anna, deal, 8);
    expect(await noticesOf(ctx, ben)).toHaveLength(before);
  });
});
