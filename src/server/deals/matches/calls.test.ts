import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { exchangeById, listExchanges } from '#server/deals/exchanges/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { move } from '#tests/support/exchanges.ts';
import { insertMatch, matchingIn } from '#tests/support/matches.ts';
import { refreshMatches } from './refresh-matches.ts';
import { dismissMatch, matchesForCoupon, proposeMatch } from './service.ts';

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

describe('a dismissed match', () => {
  const again = async (match: { id: number }) => {
    await ctx.db.updateTable('matchEdges').set({ searchedAt: null }).execute();
    await refreshMatches(ctx);
    await find();
    return (await mine(ana)).some(({ id }) => id === match.id);
  };

  it('goes for both and never comes back [decisions 3.15.14]', async () => {
    const { match } = await swap(ana, bo);
    await dismissMatch(actingAs(ctx, ana), { id: match.id, reason: 'other' });
    expect(await mine(bo)).toEqual([]);
    expect(await again(match)).toBe(false);
    expect(await mine(ana)).toEqual([]);
    await expect(dismissMatch(actingAs(ctx, bo), { id: match.id, reason: 'other' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each([
    ['not_interested', { another: 0, forAnother: 1, withOther: 1 }],
    ['keep_mine', { another: 1, forAnother: 0, withOther: 1 }],
    ['person', { another: 0, forAnother: 0, withOther: 1 }],
    ['unfair', { another: 1, forAnother: 1, withOther: 1 }],
    ['other', { another: 1, forAnother: 1, withOther: 1 }],
  ] as const)('for the reason %s teaches the finder', async (reason, expected) => {
    const { match, mines, theirs } = await swap(ana, bo);
    await dismissMatch(actingAs(ctx, ana), { id: match.id, reason });
    // Another coupon of hers for his; hers for another of his; hers for that of somebody else.
    const another = await createCoupon(ctx, ana, { title: mines.title });
    const forAnother = await createCoupon(ctx, bo, { title: theirs.title });
    await createCoupon(ctx, cy, { title: newWord() });
    const withOther = await createCoupon(ctx, cy, { title: newWord() });
    await want(ana, withOther.title);
    await want(cy, mines.title);
    await find();
    const legs = (await mine(ana)).map(({ legs }) => [legs[0]?.coupon.id, legs.at(-1)?.coupon.id] as const);
    const count = (given: number, got: number) =>
      Math.min(1, legs.filter(([one, other]) => one === given && other === got).length);
    expect({
      another: count(another.id, theirs.id),
      forAnother: count(mines.id, forAnother.id),
      withOther: Math.max(count(mines.id, withOther.id), count(another.id, withOther.id)),
    }).toEqual(expected);
  });

  it('that was unfair is followed by none in which they lose as much', async () => {
    const { match, mines, theirs } = await swap(ana, bo, [1_000, 700]);
    expect(match).toMatchObject({ gain: -300, difference: 300 });
    await dismissMatch(actingAs(ctx, ana), { id: match.id, reason: 'unfair' });
    const values = [600, 700, 701];
    const coupons = [];
    for (const value of values) coupons.push(await createCoupon(ctx, bo, { title: theirs.title, value }));
    await find();
    expect((await mine(ana)).map(({ legs }) => legs.map(({ coupon }) => coupon.id))).toEqual([
      [mines.id, coupons[2]?.id],
    ]);
  });

  it('names the person where there are several', async () => {
    const { id } = await insertMatch(ctx, [ana, bo, cy]);
    const stranger = await createUser(ctx);
    const dismiss = (personId?: number) =>
      dismissMatch(actingAs(ctx, ana), { id, reason: 'person', ...(personId && { personId }) });
    for (const personId of [undefined, ana.id, stranger.id]) {
      await expect(dismiss(personId)).rejects.toMatchObject({ code: 'bad_input' });
    }
    await dismiss(cy.id);
    const dismissals = ctx.db.selectFrom('matchDismissals').select('personId').where('userId', '=', ana.id);
    expect(await dismissals.execute()).toEqual([{ personId: cy.id }]);
  });
});

describe('proposing a match', () => {
  const suggest = (who: Actor, id: number) => proposeMatch(actingAs(ctx, who), { id, message: 'Shall we?' });

  it('asks the other for the swap; the match leaves the lists and does not come back once it is declined [decisions 3.15.17]', async () => {
    const { match, mines, theirs } = await swap(ana, bo);
    const { exchangeId } = await suggest(ana, match.id);
    expect(await exchangeById(actingAs(ctx, bo), exchangeId)).toMatchObject({
      status: 'pending',
      requesterId: ana.id,
      message: 'Shall we?',
      requestedCoupon: { id: theirs.id },
      offeredCoupon: { id: mines.id },
    });
    expect([await mine(ana), await mine(bo)]).toEqual([[], []]);
    await move(ctx, bo, exchangeId, 'rejected');
    await find();
    expect(await mine(ana)).toEqual([]);
    expect(await stateOf(mines.id)).toEqual(['dismissed']);
  });

  it('of a ring asks everybody in it, and one with somebody else is there when one declines [decisions 3.15.18 3.15.25]', async () => {
    const dee = await createUser(ctx);
    const [first, second, third] = [newWord(), newWord(), newWord()];
    for (const [person, has, wants] of [
      [ana, first, second],
      [bo, second, third],
      [cy, third, first],
    ] as const) {
      await createCoupon(ctx, person, { title: has });
      await want(person, wants);
    }
    await find();
    const [ring] = await mine(ana);
    const { exchangeId } = await suggest(ana, ring?.id ?? 0);
    expect(await exchangeById(actingAs(ctx, cy), exchangeId)).toMatchObject({
      status: 'pending',
      kind: 'ring',
    });
    await createCoupon(ctx, dee, { title: third });
    await want(dee, first);
    await find();
    await move(ctx, cy, exchangeId, 'rejected');
    await find();
    const people = (await mine(ana)).map(({ legs }) => legs.map(({ giver }) => giver.id));
    expect(people).toEqual([[ana.id, dee.id, bo.id]]);
  });

  it('by two at once makes one exchange', async () => {
    const { match } = await swap(ana, bo);
    const outcomes = await Promise.allSettled([suggest(ana, match.id), suggest(bo, match.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'not_found' } });
    expect((await listExchanges(actingAs(ctx, ana), { tab: 'all', page: 1, limit: 10 })).items).toHaveLength(
      1,
    );
  });

  it('that is refused leaves the match', async () => {
    const { match } = await swap(ana, bo);
    const limiter = { ...ctx.limiter, consume: async () => 60 };
    await expect(
      proposeMatch({ ...actingAs(ctx, ana), limiter }, { id: match.id, message: null }),
    ).rejects.toMatchObject({ code: 'rate_limited' });
    await find();
    expect(await mine(ana)).toMatchObject([{ id: match.id }]);
  });
});

describe('the page of a coupon', () => {
  it('says what its owner would take, to who has it', async () => {
    const { match, mines, theirs } = await swap(ana, bo);
    const told = async (who: Actor, { id }: { id: number }) => {
      const { wouldTake, matches } = await matchesForCoupon(actingAs(ctx, who), id);
      return [wouldTake.map((coupon) => coupon.id), matches.map((each) => each.id)];
    };
    expect(await told(ana, theirs)).toEqual([[mines.id], [match.id]]);
    expect(await told(ana, mines)).toEqual([[], [match.id]]);
    expect(await told(cy, theirs)).toEqual([[], []]);
  });
});

describe('the news of matches', () => {
  const newsOf = ({ id }: Actor) =>
    ctx.db
      .selectFrom('notifications')
      .select(['content', 'link'])
      .where('userId', '=', id)
      .where('type', '=', 'match')
      .orderBy('id')
      .execute();

  it('comes at most once an hour, about all that everybody in them looks for [decisions 3.15.21]', async () => {
    const { mines, theirs } = await swap(ana, bo);
    const first = `Exchange with ${bo.username}: you give “${mines.title}” and get “${theirs.title}”.`;
    expect(await newsOf(ana)).toEqual([{ content: first, link: '/matches' }]);
    for (const value of [900, 800]) await createCoupon(ctx, bo, { title: theirs.title, value });
    await find();
    expect(await newsOf(ana)).toHaveLength(1);
    ctx.clock.advanceDays(1 / 24);
    await find();
    await find();
    expect((await newsOf(ana)).slice(1)).toEqual([
      { content: `${first} There is 1 more match.`, link: '/matches' },
    ]);
  });
});

describe('a match whose values differ', () => {
  it('is proposed with the prices that the person has seen, and with no others', async () => {
    const { match, mines, theirs } = await swap(ana, bo, [5_000, 3_000]);
    expect(match.legs.map(({ price }) => price)).toEqual(['20.00', null]);
    const propose = (prices?: { couponId: number; amount: string }[]) =>
      proposeMatch(actingAs(ctx, ana), { id: match.id, message: null, prices });
    await expect(propose([{ couponId: mines.id, amount: '19.00' }])).rejects.toMatchObject({
      code: 'deal_changed',
    });
    await expect(propose([{ couponId: theirs.id, amount: '20.00' }])).rejects.toMatchObject({
      code: 'deal_changed',
    });
    const { exchangeId } = await propose([{ couponId: mines.id, amount: '20.00' }]);
    const { legs } = await exchangeById(actingAs(ctx, bo), exchangeId);
    const priced = legs.flatMap(({ coupon, receiverId, price }) =>
      price ? [[coupon.id, receiverId, price.amount]] : [],
    );
    expect(priced).toEqual([[mines.id, bo.id, '20.00']]);
  });
});
