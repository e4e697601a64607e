import { describe, expect, it } from 'vitest';
import { setUpMarketplace } from '#server/testing/marketplace.ts';

const market = setUpMarketplace();

/** What a coupon says, and what people type to find it. */
const FINDS: [text: string, typed: string][] = [
  ['Crème brûlée', 'creme brulee'],
  ['Creme brulee', 'crème BRÛLÉE'],
  ['Crème'.normalize('NFD'), 'Crème'.normalize('NFC')],
  ['Crème'.normalize('NFC'), 'crème'.normalize('NFD')],
  ['Levi’s jeans', 'levis'],
  ['Levis jeans', "levi's"],
  ['L’Oréal Paris', 'l´oreal'],
  ['Coca-Cola', 'coca cola'],
  ['Coca-Cola', 'cocacola'],
  ['Coca Cola', 'coca-cola'],
  ['E–mail order', 'email'],
  ['Großer Kaffee', 'grosser kaffee'],
  ['GROSSER KAFFEE', 'großer'],
  ['STRAẞE', 'strasse'],
  ['Ｐｉｚｚａ　５０％', 'pizza 50%'],
  ['Pizza 50%', 'ｐｉｚｚａ　５０％'],
  ['Burger King menu', 'menu king'],
  ['FIFTY KITCHEN knives', 'fifty kitchen'],
  ['fifty kitchen knives', 'KITCHEN FIFTY'],
  ['İstanbul', 'istanbul'],
  ['Diyarbakır', 'DIYARBAKIR'],
  ['Smørrebrød', 'smorrebrod'],
  ['Łódź', 'lodz'],
  ['Phở Đặc Biệt', 'pho dac biet'],
  ['ΟΔΥΣΣΕΥΣ Άρτος', 'οδυσσεύς αρτος'],
  ['Кофе ещё', 'КОФЕ ЕЩЕ'],
  ['ドーナツ', 'ﾄﾞｰﾅﾂ'],
  ['Cœur & æther', 'coeur aether'],
  ['Marks & Spencer', 'marks and spencer'],
  ['Marks and Spencer', 'Marks ＆ Spencer'],
  ['Marks et Spencer', 'Marks & Spencer'],
  ['Benz und Et Cetera', 'et'],
  ['soft\u00adware zero\u200bwidth', 'software zerowidth'],
];

describe('a search finds', () => {
  it.each(FINDS)('“%s” for “%s”', async (text, typed) => {
    await market.create(`${text} deal`, { merchant: 'Shop' });
    await market.create('Another thing', { merchant: `${text} Inc` });
    await market.create('Nothing of it');
    expect((await market.titles({ search: typed })).sort()).toEqual(['Another thing', `${text} deal`].sort());
    expect(await market.titles({ merchant: typed })).toEqual(['Another thing']);
  });

  it('no coupon that lacks one of the words, and % and _ mean themselves', async () => {
    await market.create('Burger menu');
    expect(await market.titles({ search: 'burger king' })).toEqual([]);
    expect(await market.titles({ search: 'b%ger men_' })).toEqual([]);
  });
});
