import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { saveCoupon } from '#server/coupons/search/saved.ts';
import { removeWant } from '#server/coupons/wants/service.ts';
import { setAway } from '#server/deals/away/service.ts';
import { blockPerson } from '#server/oversight/moderation/blocking.ts';
import { unblockPerson } from '#server/people/blocks/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { counter, move, propose } from '#tests/support/exchanges.ts';
import { matchingIn } from '#tests/support/matches.ts';
import { refreshMatches } from './refresh-matches.ts';
import { dismissMatch, matchesForCoupon, proposeMatch } from './service.ts';

/** What people do elsewhere, while the finder works or sleeps. */

const ctx = setUpContext();
const { newWord, want, find, mine, swap, stateOf } = matchingIn(ctx);
let ana: Actor;
let bo: Actor;

beforeEach(async () => {
  ana = await createUser(ctx);
  bo = await createUser(ctx);
});

/** Two matches of the same two people: two coupons of his for hers. */
async function two(values: readonly [number, number] = [1_000, 1_000]) {
  const first = await swap(ana, bo, values);
  const second = await createCoupon(ctx, bo, { title: first.theirs.title, value: values[1] });
  await find();
  expect(await mine(ana)).toHaveLength(2);
  return { ...first, second };
}

describe('a dismissal', () => {
  it.each([
    ['person', [1_000, 1_000], 0],
    ['keep_mine', [1_000, 1_000], 0],
    ['unfair', [1_000, 800], 0],
    ['not_interested', [1_000, 1_000], 1],
    ['other', [1_000, 1_000], 1],
  ] as const)(
    'for the reason %s takes effect on what is open, too, at once [decisions 3.15.15]',
    async (reason, values, left) => {
      const { theirs } = await two(values);
      const match = (await mine(ana)).find(({ legs }) => legs.at(-1)?.coupon.id === theirs.id);
      await dismissMatch(actingAs(ctx, ana), { id: match?.id ?? 0, reason });
      expect(await mine(ana)).toHaveLength(left);
      expect(await mine(bo)).toHaveLength(left);
      await find();
      expect(await mine(ana)).toHaveLength(left);
    },
  );

  it('of the owner holds on the page of their coupon, too', async () => {
    const { mines, theirs, match } = await swap(ana, bo);
    const wouldTake = async () => (await matchesForCoupon(actingAs(ctx, ana), theirs.id)).wouldTake;
    expect(await wouldTake()).toMatchObject([{ id: mines.id }]);
    await dismissMatch(actingAs(ctx, bo), { id: match.id, reason: 'person' });
    expect(await wouldTake()).toEqual([]);
  });
});

it('a swap that somebody proposed by hand, and the other declined, is not suggested', async () => {
  const { match, mines, theirs } = await swap(ana, bo);
  const deal = await propose(ctx, ana, { offered: mines, requested: theirs });
  await find();
  await move(ctx, bo, deal.id, 'rejected');
  await find();
  expect(await mine(ana)).toEqual([]);
  expect(await stateOf(mines.id)).toEqual(['dismissed']);
  await expect(proposeMatch(actingAs(ctx, ana), { id: match.id, message: null })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a swap is not suggested again when the last round of its negotiation is declined', async () => {
  const { match, mines, theirs } = await swap(ana, bo);
  const extra = await createCoupon(ctx, ana, { title: newWord() });
  const { exchangeId } = await proposeMatch(actingAs(ctx, ana), { id: match.id, message: null });
  await find();
  const answer = await counter(ctx, bo, exchangeId, { offered: [theirs], requested: [mines, extra] });
  await find();
  await move(ctx, ana, answer.id, 'rejected');
  await find();
  expect(await stateOf(mines.id)).toEqual(['dismissed']);
});

it('a ring is there again at once when two in it who give each other nothing are unblocked', async () => {
  const people = [ana, await createUser(ctx), bo, await createUser(ctx)];
  const words = people.map(newWord);
  for (const [index, person] of people.entries()) {
    await createCoupon(ctx, person, { title: words[index] ?? '' });
    await want(person, words.at(index - 1) ?? '');
  }
  await find();
  expect(await mine(ana)).toHaveLength(1);
  await blockPerson(actingAs(ctx, bo), { userId: ana.id });
  await find();
  expect(await mine(ana)).toEqual([]);
  await unblockPerson(actingAs(ctx, bo), ana.id);
  await find();
  expect(await mine(ana)).toHaveLength(1);
});

it('nobody crowds out the others who have what somebody looks for, with however many coupons', async () => {
  const [crowd, cy] = [await createUser(ctx), await createUser(ctx)];
  const [anas, bos, cys] = [newWord(), newWord(), newWord()];
  for (const [person, title] of [
    [ana, anas],
    [bo, bos],
    [cy, cys],
  ] as const)
    await createCoupon(ctx, person, { title });
  await want(ana, bos);
  await want(bo, cys);
  await find();
  await copiesOf((await createCoupon(ctx, crowd, { title: bos })).id, 60);
  await find();
  await want(cy, anas);
  await find();
  const ring = (await mine(ana)).map(({ legs }) => legs.map(({ giver }) => giver.id));
  expect(ring).toEqual([[ana.id, cy.id, bo.id]]);
});

/** Lists a coupon so many times more, as it is but for some columns. */
async function copiesOf(id: number, count: number, changed: { regions?: string[] } = {}): Promise<void> {
  const [row] = await ctx.db.selectFrom('coupons').selectAll().where('id', '=', id).execute();
  if (!row) throw new Error('The coupon is gone');
  const { id: _, searchText, merchantText, expiresAt, ...columns } = row;
  const copies = Array.from({ length: count }, () => ({ ...columns, ...changed, codeHash: null }));
  await ctx.db.insertInto('coupons').values(copies).execute();
}

it('whoever comes back on the day they have said is suggested again, by the night', async () => {
  await swap(ana, bo);
  await setAway(actingAs(ctx, bo), { until: utcDay(addDays(ctx.clock(), 2)) });
  await find();
  ctx.clock.advanceDays(2);
  // All edges have been searched since: the return alone brings the match back.
  await ctx.db.updateTable('matchEdges').set({ searchedAt: ctx.clock() }).execute();
  await refreshMatches(ctx);
  await find();
  expect(await mine(ana)).toHaveLength(1);
});

it('a leg is of the want that finds its coupon later, and of none when that is deleted', async () => {
  const word = newWord();
  const theirs = await createCoupon(ctx, bo, { title: newWord() });
  await createCoupon(ctx, ana, { title: word });
  await saveCoupon(actingAs(ctx, ana), theirs.id);
  await want(bo, word);
  await find();
  const got = async () =>
    (await mine(ana)).map(({ isExplicit, legs }) => [isExplicit, legs.at(-1)?.isExplicit]);
  expect(await got()).toEqual([[false, false]]);
  const { id } = await want(ana, theirs.title);
  await find();
  expect(await got()).toEqual([[true, true]]);
  await removeWant(actingAs(ctx, ana), id);
  await find();
  expect(await got()).toEqual([[false, false]]);
});

it('a want finds what was listed before it, behind hundreds of coupons that do not count where it asks', async () => {
  const [one, other] = [newWord(), newWord()];
  await createCoupon(ctx, ana, { title: one });
  const theirs = await createCoupon(ctx, bo, { title: other, regions: ['FR'] });
  await copiesOf(theirs.id, 150, { regions: ['CA'] });
  await want(bo, one);
  await want(ana, other, { region: 'FR' });
  await find();
  expect((await mine(ana)).map(({ legs }) => legs.at(-1)?.coupon.id)).toEqual([theirs.id]);
});

it('a change that cannot be taken does not hold up the others, and is tried again', async () => {
  const broken = await createCoupon(ctx, bo, { title: newWord() });
  await ctx.db.schema
    .alterTable('match_edges')
    .addCheckConstraint('broken', sql`coupon_id <> ${sql.lit(broken.id)}`)
    .execute();
  await saveCoupon(actingAs(ctx, ana), broken.id);
  await swap(ana, bo);
  await ctx.db.schema.alterTable('match_edges').dropConstraint('broken').execute();
  await find();
  const edges = ctx.db.selectFrom('matchEdges').select('takerId').where('couponId', '=', broken.id);
  expect(await edges.execute()).toEqual([{ takerId: ana.id }]);
});

it('people are told of the same swap once, however often it goes and comes back [decisions 3.15.16]', async () => {
  const { theirs } = await swap(ana, bo);
  const news = async () => {
    const rows = await ctx.db
      .selectFrom('notifications')
      .select('id')
      .where('userId', '=', ana.id)
      .where('type', '=', 'match')
      .execute();
    return rows.length;
  };
  expect(await news()).toBe(1);
  for (const isOpenToOffers of [false, true]) {
    ctx.clock.advanceDays(0.1);
    await ctx.db.updateTable('coupons').set({ isOpenToOffers }).where('id', '=', theirs.id).execute();
    await find();
  }
  expect(await mine(ana)).toHaveLength(1);
  expect(await news()).toBe(1);
});
