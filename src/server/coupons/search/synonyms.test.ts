import { describe, expect, it } from 'vitest';
import { setUpMarketplace } from '#tests/support/marketplace.ts';

const market = setUpMarketplace();

const PLAIN = { merchant: 'Acme' };

/** What a coupon says, and what people type to find it. */
const FINDS: [text: string, typed: string][] = [
  ['Chaussures de course', 'shoes'],
  ['Running shoes', 'chaussures'],
  ['Soulier de toile', 'SHOE'],
  ['Bottes d’hiver', 'botte'],
  ['Botte d’hiver', 'bottes'],
  ['Winter boots', 'bottes d’hiver'],
  ['20 % de rabais', 'discount'],
  ['Discount on everything', 'rabais'],
  ['Solde d’été', 'sale'],
  ['Carte-cadeau de 50 $', 'gift cards'],
  ['Gift card worth $50', 'carte-cadeau'],
  ['Cartes-cadeaux', 'gift card'],
  ['Nuitée à l’hôtel et repas', 'night meal'],
  ['Soins pour animaux', 'pets'],
  ['Everything for your pet', 'animaux'],
  ['Un bijou', 'bijoux'],
  ['Promotional prices', 'rabais'],
  ['A battery', 'batteries'],
  ['Glass of wine', 'glasses'],
  ['Crème glacée', 'ice cream'],
  ['Stationnement à l’aéroport', 'airport parking'],
  ['L’été à Québec', 'summer'],
  ['Une télévision', 'TV'],
];

/** What must not be found: the word means something else, or is only a part of another. */
const FALSE_FRIENDS: [text: string, typed: string][] = [
  ['Pain relief', 'bread'],
  ['Pain relief', 'boulangerie'],
  ['Chat support', 'cat'],
  ['Four seasons', 'oven'],
  ['Laundry coin', 'corner'],
  ['Caramel salé', 'rabais'],
  ['Valid at any location', 'rental'],
  ['Vol. 2', 'flights'],
  ['Plush robe', 'dresses'],
  ['Apple products', 'pommes'],
  ['Book now', 'livres'],
  ['Italian cuisine', 'kitchen'],
  ['Savings on moving', 'wine'],
  ['Carton', 'card'],
  ['Removing stains', 'déménagement'],
  ['A day to remember', 'membre'],
  ['Laine mérinos', 'seniors'],
  ['Two dice', 'crème glacée'],
  ['Repair of phones', 'repas'],
];

describe('a search finds', () => {
  it.each(FINDS)('“%s” for “%s”', async (text, typed) => {
    await market.create(text, PLAIN);
    await market.create('Something else', PLAIN);
    expect(await market.titles({ search: typed })).toEqual([text]);
  });

  it.each(FALSE_FRIENDS)('not “%s” for “%s”', async (text, typed) => {
    await market.create(text, PLAIN);
    expect(await market.titles({ search: typed })).toEqual([]);
  });

  it('the words as typed first, in the order of the list, then synonyms', async () => {
    for (const title of ['Shoes, old', 'Chaussures', 'Shoe', 'Shoes, new', 'Souliers'])
      await market.create(title);
    const found = ['Shoes, new', 'Shoe', 'Shoes, old', 'Souliers', 'Chaussures'];
    expect(await market.titles({ search: 'shoes' })).toEqual(found);
    expect(await market.titles({ search: 'shoes', sort: 'oldest' })).toEqual([
      'Shoes, old',
      'Shoe',
      'Shoes, new',
      'Chaussures',
      'Souliers',
    ]);
  });

  it('a member’s own coupons by synonyms, too', async () => {
    await market.create('Chaussures');
    const { items } = await market.browseOwn(market.owner, { search: 'shoes' });
    expect(items).toHaveLength(1);
  });
});
