import { beforeAll, expect, it } from 'vitest';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { setUpRaces } from '#server/testing/races.ts';
import { forgetUnusedWords } from './words.ts';

const { ctx, expectNoDeadlock } = setUpRaces();
let owner: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => {
  owner = await createUser(ctx);
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Thirty words that only this round has. */
const newWords = (round: number) =>
  Array.from(
    { length: 30 },
    (_, i) =>
      `w${LETTERS[i % 26]}${LETTERS[round % 26]}${'x'.repeat(1 + Math.floor(round / 26))}${'y'.repeat(Math.floor(i / 26))}`,
  );

const isKnown = async (word: string) =>
  (await ctx.db.selectFrom('couponWords').select('word').where('word', '=', word).execute()).length > 0;

it('two listings with the same new words in opposite order do not deadlock, 50 times', async () => {
  for (let round = 0; round < 50; round += 1) {
    const words = newWords(round);
    await Promise.all([
      createCoupon(ctx, owner, { description: words.join(' ') }),
      createCoupon(ctx, owner, { description: words.reverse().join(' ') }),
    ]);
    expect(await isKnown(words[0] ?? '')).toBe(true);
  }
});

it('forgets the words that no listed coupon has any more, and no others', async () => {
  const { id } = await createCoupon(ctx, owner, { title: 'Zebra and walrus' });
  await createCoupon(ctx, owner, { title: 'Walrus alone' });
  await forgetUnusedWords(ctx);
  expect([await isKnown('zebra'), await isKnown('walrus')]).toEqual([true, true]);
  await ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', id).execute();
  expect(await forgetUnusedWords(ctx)).toBe(2);
  expect([await isKnown('zebra'), await isKnown('walrus')]).toEqual([false, true]);
  await ctx.db.updateTable('coupons').set({ isActive: true }).where('id', '=', id).execute();
  expect(await isKnown('zebra')).toBe(true);
});

it('forgets no word that a listing relies on which is not committed yet', async () => {
  const { id } = await createCoupon(ctx, owner, { title: 'Ocelot' });
  await ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', id).execute();
  await ctx.db.transaction().execute(async (trx) => {
    await createCoupon({ ...ctx, db: trx }, owner, { title: 'Ocelot again' });
    await expect(forgetUnusedWords(ctx)).rejects.toMatchObject({ code: 'unavailable' });
  });
  await forgetUnusedWords(ctx);
  expect(await isKnown('ocelot')).toBe(true);
});

it('met no deadlock', expectNoDeadlock);
