import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { setUpRaces } from '#server/testing/races.ts';
import { forgetUnusedWords } from './words.ts';

const { ctx, expectNoDeadlock } = setUpRaces();
let owner: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => {
  owner = await createUser(ctx);
});

const isKnown = async (word: string) =>
  (await ctx.db.selectFrom('couponWords').select('word').where('word', '=', word).execute()).length > 0;

async function waitingSessions(): Promise<unknown> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(ctx.db);
  return rows[0]?.count;
}

it('two listings with the same new words in opposite order do not deadlock, 50 times', async () => {
  for (let round = 0; round < 50; round += 1) {
    const words = ['abacus', 'middle', 'zephyr'].map(
      (word) => word + 'x'.repeat(round % 20) + 'y'.repeat(Math.floor(round / 20)),
    );
    const list = (description: string) => createCoupon(ctx, owner, { description, title: 'Words' });
    let listings: Promise<unknown[]> = Promise.resolve([]);
    // Both have begun, and wait for a third that has the word in the middle.
    await ctx.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('couponWords')
        .values({ word: words[1] ?? '' })
        .execute();
      listings = Promise.all([list(words.join(' ')), list(words.toReversed().join(' '))]);
      await expect.poll(waitingSessions, { interval: 5 }).toBe(2);
    });
    await listings;
    expect(await isKnown(words[2] ?? '')).toBe(true);
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
