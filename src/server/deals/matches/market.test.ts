import { expect, it } from 'vitest';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import type { Actor } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { createWant } from '#server/coupons/wants/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { addBlock } from '#server/people/blocks/service.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { matchingIn } from '#tests/support/matches.ts';
import { readMarket, recordSweep } from './market.ts';
import { refreshMatches } from './refresh-matches.ts';

const ctx = setUpContext();
const { newWord, want, find, swap } = matchingIn(ctx);

const people = (count: number) => Promise.all(Array.from({ length: count }, () => createUser(ctx)));
const wantOf = (who: Actor, merchant: string, more: object = {}) =>
  createWant(actingAs(ctx, who), createWantInputSchema.parse({ merchant, gives: 'any', ...more }));
const night = async () => {
  await find();
  await refreshMatches(ctx);
  await recordSweep(ctx);
};

it('counts what is suggested each night, and what of it can happen together', async () => {
  expect((await readMarket(ctx)).day).toBeNull();
  const [ana, bo, cy] = await people(3);
  if (!ana || !bo || !cy) throw new Error('There is nobody');
  const { mines } = await swap(ana, bo);
  // Cy would give Ana what she looks for, too, for the same coupon: one of the two swaps can happen.
  const another = await createCoupon(ctx, cy, { title: newWord() });
  await want(ana, another.title);
  await want(cy, mines.title);
  await night();
  expect((await readMarket(ctx)).day).toEqual({
    day: utcDay(ctx.clock()),
    suggested: 2,
    possible: 1,
    coupons: 2,
  });
  await night();
  expect(await ctx.db.selectFrom('marketDays').selectAll().execute()).toHaveLength(1);
});

it('invites everybody to list what three people would swap for, if they could, and have no swap for', async () => {
  const [owner, ...askers] = await people(9);
  if (!owner) throw new Error('There is nobody');
  for (const merchant of ['Corner Coffee', 'Tea Garden', 'Book Barn']) {
    await createCoupon(ctx, owner, { merchant, isOpenToOffers: false });
  }
  for (const [index, asker] of askers.entries()) {
    await createCoupon(ctx, asker);
    // Each in a spelling of their own.
    await wantOf(asker, index % 2 === 0 ? 'corner coffee' : 'CORNER COFFEE');
    // Nobody gives anything for it.
    await wantOf(asker, 'Tea Garden', { gives: 'nothing' });
    if (index < 2) await wantOf(asker, 'Book Barn');
    // A name that no coupon has had.
    await wantOf(asker, 'Buy at evil.example');
  }
  // Has nothing to give.
  await wantOf(owner, 'Corner Coffee');
  await ctx.db
    .updateTable('coupons')
    .set({ isActive: false })
    .where('ownerId', '=', askers[0]?.id ?? 0)
    .execute();
  await night();
  const { invitations } = await readMarket(ctx);
  expect(invitations).toEqual([{ merchant: 'Corner Coffee', people: 7, isSwap: false }]);
  // Nobody is invited to give what they look for themselves.
  expect((await readMarket(actingAs(ctx, owner))).invitations).toEqual([]);
});

it('tells a member first of which merchant one more coupon brings a swap', async () => {
  const [me, friend, foe, dealer] = await people(4);
  if (!me || !friend || !foe || !dealer) throw new Error('There is nobody');
  for (const merchant of ['Petal Shop', 'Lamp House']) {
    await createCoupon(ctx, dealer, { merchant, isOpenToOffers: false });
  }
  const word = newWord();
  await createCoupon(ctx, friend, { title: word });
  await createCoupon(ctx, foe, { title: word });
  await want(me, word);
  for (const who of [friend, foe]) await wantOf(who, 'petal shop');
  // For another coupon than mine to take.
  const other = await createCoupon(ctx, friend);
  await wantOf(friend, 'Lamp House', { gives: 'some', giftIds: [other.id] });
  await find();
  const own = async () => (await readMarket(actingAs(ctx, me))).invitations.filter(({ isSwap }) => isSwap);
  expect(await own()).toEqual([{ merchant: 'Petal Shop', people: 2, isSwap: true }]);
  await inTransaction(ctx.db, (trx) => addBlock(trx, actingAs(ctx, me), foe.id));
  expect(await own()).toEqual([{ merchant: 'Petal Shop', people: 1, isSwap: true }]);
  // It is true: with such a coupon they have a swap.
  await createCoupon(ctx, me, { merchant: 'Petal Shop' });
  await find();
  expect(await own()).toEqual([]);
  expect(await ctx.db.selectFrom('matches').select('id').where('state', '=', 'open').execute()).not.toEqual(
    [],
  );
});
