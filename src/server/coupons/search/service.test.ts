import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser, setUpContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { searchHelp, suggestMerchants } from './service.ts';

const ctx = setUpContext();
let owner: Actor;

beforeAll(async () => {
  owner = await createUser(ctx);
  for (const [merchant, title] of [
    ['Pizza Pronto', 'Two pizzas for one'],
    ['Café Pirouette', 'A croissant with every coffee'],
    ['The Picture House', 'Half-price ticket'],
    ['Gone Pictures', 'Sold already'],
  ] as const)
    await listCoupon(ctx, owner, { merchant, title });
  await ctx.db
    .updateTable('coupons')
    .set({ isActive: false })
    .where('merchant', '=', 'Gone Pictures')
    .execute();
});

describe('suggested merchants', () => {
  it('begin as typed, then have a word that does, in their own spelling, with a coupon on offer', async () => {
    expect(await suggestMerchants(ctx, { typed: 'Pi' })).toEqual([
      'Pizza Pronto',
      'Café Pirouette',
      'The Picture House',
    ]);
    expect(await suggestMerchants(ctx, { typed: 'cafe pi' })).toEqual(['Café Pirouette']);
  });

  it('are none for signs that LIKE would read as a pattern', async () => {
    expect(await suggestMerchants(ctx, { typed: '%%' })).toEqual([]);
  });
});

describe('help for a search that finds nothing', () => {
  it('is the nearest words that find something', async () => {
    expect(await searchHelp(ctx, { search: 'Piza' })).toEqual({ didYouMean: 'pizza', category: 'food' });
    expect(await searchHelp(ctx, { search: 'cofee croisant' })).toMatchObject({
      didYouMean: 'coffee croissant',
    });
  });

  it('is never a search that finds nothing either', async () => {
    // Both words are known, but no coupon has them together.
    expect(await searchHelp(ctx, { search: 'piza ticket' })).toMatchObject({ didYouMean: null });
    expect(await searchHelp(ctx, { search: 'xylophone' })).toEqual({ didYouMean: null, category: null });
  });

  it('is the category of a word that no coupon has', async () => {
    expect(await searchHelp(ctx, { search: 'Flights to Lisbon' })).toMatchObject({ category: 'travel' });
  });

  it('is in the language of the words, although the coupons are in the other one', async () => {
    await listCoupon(ctx, owner, { merchant: 'Le Marcheur', title: 'Soulier de marche' });
    await listCoupon(ctx, owner, { merchant: 'Dawn & Co', title: 'Panier de bleuets' });
    expect(await searchHelp(ctx, { search: 'chausures' })).toEqual({
      didYouMean: 'chaussure',
      category: 'retail',
    });
    expect(await searchHelp(ctx, { search: 'bluebery' })).toMatchObject({ didYouMean: 'blueberry' });
  });

  it.each([
    ['alimentation', 'food'],
    ['Magasins', 'retail'],
    ['chaussures', 'retail'],
    ['divertissements', 'entertainment'],
    ['Billets de spectacle', 'entertainment'],
    ['Voyages', 'travel'],
    ['vol pour Lisbonne', 'travel'],
    ['services', 'services'],
    ['coiffeur', 'services'],
  ] as const)('finds for “%s” the category %s', async (search, category) => {
    expect(await searchHelp(ctx, { search: `${search} xylophone` })).toMatchObject({ category });
  });
});
