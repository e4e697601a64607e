import { beforeEach, describe, expect, it } from 'vitest';
import { createWantInputSchema } from '#contract/wants.ts';
import type { Actor } from '#server/domains/context.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#server/testing/builders.ts';
import { createWant } from '../wants/service.ts';
import { tellOfCoupons } from '../wants/telling.ts';
import { findMatches } from './finding.ts';
import { countMatches, listMatches } from './service.ts';

const ctx = setUpContext();
let ana: Actor;
let bo: Actor;
let cy: Actor;

let counter = 0;
/** A word that no other test has. */
const newWord = () => `yak${String.fromCharCode(97 + (counter % 26), 97 + Math.floor(counter++ / 26))}`;

const want = (who: Actor, search: string, more: Record<string, unknown> = {}) =>
  createWant(actingAs(ctx, who), createWantInputSchema.parse({ search, gives: 'any', ...more }));
const find = async () => {
  await tellOfCoupons(ctx);
  await findMatches(ctx);
};
const mine = (who: Actor) => listMatches(actingAs(ctx, who));

beforeEach(async () => {
  ana = await createUser(ctx);
  bo = await createUser(ctx);
  cy = await createUser(ctx);
});

describe('a match', () => {
  it('of two is found when the second want is made, and when a coupon comes', async () => {
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
    expect(await countMatches(actingAs(ctx, bo))).toEqual({ open: 1 });
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
