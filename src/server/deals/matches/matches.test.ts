import { beforeEach, describe, expect, it } from 'vitest';
import { updateWantInputSchema } from '#contract/coupons/wants.ts';
import { type Match, OPEN_MATCHES_MAX } from '#contract/deals/matches.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { saveCoupon } from '#server/coupons/search/saved.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { pauseWant, updateWant } from '#server/coupons/wants/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { setAway } from '#server/deals/away/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { matchingIn } from '#tests/support/matches.ts';
import { isLockAwaited } from '#tests/support/races.ts';
import { fillLists } from './fill-lists.ts';
import { findMatches } from './find-matches.ts';
import { notifyOfMatches } from './notify-of-matches.ts';
import { lockFinder } from './queue-store.ts';
import { countMatches, dismissMatch } from './service.ts';
import { closeMatches } from './store.ts';

const ctx = setUpContext();
const { newWord, want, find, mine, swap, stateOf } = matchingIn(ctx);
let ana: Actor;
let bo: Actor;
let cy: Actor;

beforeEach(async () => {
  ana = await createUser(ctx);
  bo = await createUser(ctx);
  cy = await createUser(ctx);
});

describe('a match', () => {
  it('of two is found when the second want is made, and when a coupon comes [decisions 3.15.10]', async () => {
    const [one, other] = [newWord(), newWord()];
    const mines = await createCoupon(ctx, ana, { title: one, value: 1_000 });
    await want(ana, other);
    await want(bo, one);
    await find();
    expect(await mine(ana)).toEqual([]);
    const theirs = await createCoupon(ctx, bo, { title: other, value: 1_200 });
    await find();
    expect(await mine(ana)).toMatchObject([
      {
        isExplicit: true,
        gain: 200,
        difference: 200,
        legs: [
          { coupon: { id: mines.id }, giver: { id: ana.id }, receiver: { id: bo.id }, isExplicit: true },
          { coupon: { id: theirs.id }, giver: { id: bo.id }, receiver: { id: ana.id }, isExplicit: true },
        ],
      },
    ]);
    expect(await mine(bo)).toMatchObject([{ gain: -200, legs: [{ coupon: { id: theirs.id } }, {}] }]);
    expect(await countMatches(actingAs(ctx, bo))).toEqual({
      open: 1,
      couponIds: [mines.id, theirs.id],
    });
    expect(await mine(cy)).toEqual([]);
  });

  it('of three and four goes round', async () => {
    const people = [ana, bo, cy, await createUser(ctx)];
    for (const size of [3, 4]) {
      const words = people.slice(0, size).map(newWord);
      for (const [index, person] of people.slice(0, size).entries()) {
        await createCoupon(ctx, person, { title: words[index] ?? '' });
        await want(person, words[(index + 1) % size] ?? '');
      }
      await find();
      const [ring] = (await mine(ana)).filter(({ legs }) => legs.length === size);
      expect(ring?.legs.map(({ giver }) => giver.id)).toEqual(
        [0, ...Array.from({ length: size - 1 }, (_, index) => size - 1 - index)].map(
          (index) => people[index]?.id,
        ),
      );
    }
  });
});

describe('who could be in a match', () => {
  it('is nobody who is away, until the day of return', async () => {
    const [one, other] = [newWord(), newWord()];
    await createCoupon(ctx, ana, { title: one });
    await createCoupon(ctx, bo, { title: other });
    await want(ana, other);
    await want(bo, one);
    await find();
    expect(await mine(ana)).toHaveLength(1);
    await setAway(actingAs(ctx, bo), { until: utcDay(addDays(ctx.clock(), 3)) });
    expect(await mine(ana)).toEqual([]);
    await find();
    await setAway(actingAs(ctx, bo), { until: null });
    await find();
    expect(await mine(ana)).toHaveLength(1);
  });

  it('gives only what a want names, and nothing for one that only watches', async () => {
    const [one, other] = [newWord(), newWord()];
    const coupon = await createCoupon(ctx, ana, { title: one });
    const spare = await createCoupon(ctx, ana, { title: one });
    await createCoupon(ctx, bo, { title: other });
    await want(bo, one);
    const { id } = await want(ana, other, { gives: 'nothing' });
    await find();
    expect(await mine(ana)).toEqual([]);
    const filter = { id, search: other };
    const change = async (given: Record<string, unknown>) => {
      await updateWant(actingAs(ctx, ana), updateWantInputSchema.parse({ ...filter, ...given }));
      await find();
      return (await mine(ana)).map(({ legs }) => legs[0]?.coupon.id);
    };
    expect(await change({ gives: 'some', giftIds: [spare.id] })).toEqual([spare.id]);
    expect(await change({ gives: 'some', giftIds: [coupon.id] })).toEqual([coupon.id]);
    expect((await change({ gives: 'any' })).sort()).toEqual([coupon.id, spare.id]);
    await pauseWant(actingAs(ctx, ana), { id, isPaused: true });
    await find();
    expect(await mine(ana)).toEqual([]);
  });

  it('is found behind many newer wants that give other coupons', async () => {
    const words = [ana, bo].map(() => Array.from({ length: 8 }, newWord));
    const coupons: number[] = [];
    for (const [side, who] of [ana, bo].entries()) {
      const { id } = await createCoupon(ctx, who, { title: words[side]?.join(' ') ?? '' });
      const spare = await createCoupon(ctx, who);
      coupons.push(id);
      for (const [place, word] of (words[1 - side] ?? []).entries())
        await want(who, word, { gives: 'some', giftIds: [place === 0 ? id : spare.id] });
    }
    await find();
    expect((await mine(ana)).map(({ legs }) => legs.map(({ coupon }) => coupon.id))).toEqual([coupons]);
  });

  it('likely takes what they have saved, and such matches come after those of wants [decisions 3.15.12]', async () => {
    const { match } = await swap(ana, bo);
    const saved = await createCoupon(ctx, bo, { title: newWord(), value: 1_000 });
    await saveCoupon(actingAs(ctx, ana), saved.id);
    await find();
    const listed = await mine(ana);
    expect(listed.map(({ isExplicit }) => isExplicit)).toEqual([true, false]);
    expect(listed[0]?.id).toBe(match.id);
    expect(listed[1]?.legs.at(-1)).toMatchObject({ coupon: { id: saved.id }, isExplicit: false });
  });

  it('likely takes what they asked for in vain, unless they withdrew', async () => {
    for (const [who, status, matches] of [
      [bo, 'rejected', 1],
      [ana, 'cancelled', 0],
    ] as const) {
      const offered = await createCoupon(ctx, ana, { title: newWord() });
      const word = newWord();
      const given = await createCoupon(ctx, ana, { title: word });
      const requested = await createCoupon(ctx, bo);
      const deal = await propose(ctx, ana, { offered, requested });
      await move(ctx, who, deal.id, status);
      await want(bo, word);
      await find();
      const pairs = (await mine(ana)).map(({ legs }) => legs.map(({ coupon }) => coupon.id).join());
      expect(pairs.filter((pair) => pair === `${given.id},${requested.id}`)).toHaveLength(matches);
    }
  });

  it('is nobody who blocks another in the ring, is banned, or suspended [decisions 3.14.6]', async () => {
    const { mines, theirs } = await swap(ana, bo);
    const block = { blockerId: bo.id, blockedId: ana.id, createdAt: ctx.clock() };
    await ctx.db.insertInto('userBlocks').values(block).execute();
    expect(await mine(ana)).toEqual([]);
    await find();
    expect(await stateOf(mines.id)).toEqual([]);
    await ctx.db.deleteFrom('userBlocks').where('blockerId', '=', bo.id).execute();
    await find();
    expect(await mine(ana)).toHaveLength(1);
    for (const status of ['suspended', 'banned']) {
      await ctx.db.updateTable('users').set({ status }).where('id', '=', bo.id).execute();
      expect(await mine(ana), status).toEqual([]);
      await find();
      expect(await stateOf(theirs.id), status).toEqual([]);
      await ctx.db.updateTable('users').set({ status: 'active' }).where('id', '=', bo.id).execute();
      await find();
      expect(await mine(ana), status).toHaveLength(1);
    }
  });

  it.each([
    ['not open to offers', { isOpenToOffers: false }],
    ['not transferable', { transferable: 'no' }],
    ['hidden', { isActive: false }],
    ['expired', { expiryDate: '2035-06-14' }],
    ['somebody else’s', { ownerId: 0 }],
  ])('has no coupon that is %s: the match goes at once, and is removed', async (_, columns) => {
    const { theirs } = await swap(ana, bo);
    const change = 'ownerId' in columns ? { ownerId: cy.id } : columns;
    await ctx.db.updateTable('coupons').set(change).where('id', '=', theirs.id).execute();
    expect(await mine(ana)).toEqual([]);
    expect(await countMatches(actingAs(ctx, ana))).toEqual({ open: 0, couponIds: [] });
    await find();
    expect(await stateOf(theirs.id)).toEqual([]);
  });

  it('waits while a coupon is reserved, and is found again when it is free', async () => {
    const { theirs } = await swap(ana, bo);
    const offered = await createCoupon(ctx, cy);
    const deal = await propose(ctx, cy, { offered, requested: theirs });
    expect(await mine(ana)).toHaveLength(1);
    await move(ctx, bo, deal.id, 'accepted');
    expect(await mine(ana)).toEqual([]);
    await find();
    await move(ctx, bo, deal.id, 'cancelled');
    await find();
    expect(await mine(ana)).toHaveLength(1);
  });

  it('that waits is put on no list after its coupon has expired, or when the same swap is proposed by hand', async () => {
    /** As the finder does with the rings that a change brings, without asking what has ended since. */
    const placeAgain = () =>
      inTransaction(ctx.db, async (trx) => {
        await lockFinder(trx);
        await fillLists(trx, ctx, { userIds: [ana.id, bo.id, cy.id], effort: 50, mayHaveEnded: false });
      });
    const wait = async (match: Match) =>
      inTransaction(ctx.db, (trx) => closeMatches(trx, [match.id], ctx.clock()));
    const { mines, theirs, match } = await swap(ana, bo);
    await wait(match);
    await placeAgain();
    expect(await stateOf(theirs.id)).toEqual(['open']);
    await wait(match);
    const deal = await propose(ctx, bo, { offered: theirs, requested: mines });
    await placeAgain();
    expect(await stateOf(theirs.id)).toEqual([]);

    await move(ctx, bo, deal.id, 'cancelled');
    const { theirs: expiring, match: other } = await swap(cy, bo);
    await wait(other);
    const yesterday = utcDay(addDays(ctx.clock(), -1));
    await ctx.db
      .updateTable('coupons')
      .set({ expiryDate: yesterday })
      .where('id', '=', expiring.id)
      .execute();
    await placeAgain();
    expect(await stateOf(expiring.id)).toEqual([]);
  });

  it('is told of while nobody finds any: the two change its legs in different orders', async () => {
    const telling = { isOver: false };
    let told = Promise.resolve();
    await inTransaction(ctx.db, async (trx) => {
      await lockFinder(trx);
      told = notifyOfMatches(ctx).then(() => void Object.assign(telling, { isOver: true }));
      await expect.poll(async () => telling.isOver || (await isLockAwaited(ctx))).toBe(true);
      expect(telling.isOver).toBe(false);
    });
    await told;
  });
});

describe('a coupon that is not open to exchanges', () => {
  it('cannot be asked for, and its owner can still offer it [decisions 3.15.11]', async () => {
    const closed = await createCoupon(ctx, ana, { title: 'Mine', isOpenToOffers: false });
    const open = await createCoupon(ctx, bo);
    await expect(propose(ctx, bo, { offered: open, requested: closed })).rejects.toMatchObject({
      code: 'coupon_unavailable',
      message: '“Mine” is not open to exchanges',
    });
    expect(await propose(ctx, ana, { offered: closed, requested: open })).toMatchObject({
      status: 'pending',
    });
  });
});

it('nobody is in more than five open matches, also if several processes look at once; the best come first [decisions 3.15.13]', async () => {
  const word = newWord();
  const wish = newWord();
  const mines = await createCoupon(ctx, ana, { title: word, value: 1_000 });
  await want(ana, wish);
  // Far enough apart to differ in fairness.
  const values = [...Array(9).keys()].map((index) => 1_000 - 120 * index);
  for (const value of values.toReversed()) {
    const partner = await createUser(ctx);
    await createCoupon(ctx, partner, { title: wish, value });
    await want(partner, word);
  }
  await notifyOfCoupons(ctx);
  await Promise.all([findMatches(ctx), findMatches(ctx), findMatches(ctx)]);
  const differences = async () => (await mine(ana)).map(({ difference }) => difference);
  expect(await differences()).toEqual([0, 120, 240, 360, 480].slice(0, OPEN_MATCHES_MAX));
  expect(await stateOf(mines.id)).toHaveLength(values.length);
  // The next one moves up.
  const [best] = await mine(ana);
  await dismissMatch(actingAs(ctx, ana), { id: best?.id ?? 0, reason: 'not_interested' });
  await find();
  expect(await differences()).toEqual([120, 240, 360, 480, 600]);
  await ctx.db.updateTable('matches').set({ state: 'open' }).where('state', '=', 'waiting').execute();
  const [leg] = await ctx.db.selectFrom('matchLegs').selectAll().where('slot', '=', 5).execute();
  await expect(
    ctx.db
      .updateTable('matchLegs')
      .set({ slot: 5 })
      .where('giverId', '=', leg?.giverId ?? 0)
      .execute(),
  ).rejects.toThrow('match_legs_giver_id_slot_key');
});
