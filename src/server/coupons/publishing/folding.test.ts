import { describe, expect, it } from 'vitest';
import { setUpMarketplace } from '#tests/support/marketplace.ts';

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
  ['قهـــوة عربية', 'قهوة'],
  ['قهوه', 'قهوة'],
  ['على بابا', 'علي'],
  ['کتاب یک', 'كتاب'],
  ['خصم ٢٥٪', '25%'],
  ['שׁלום עולם', 'שלומ'],
  ['שלום', 'שלום'],
  ['コンピューター', 'コンピュータ'],
  ['サーバ用', 'サーバー'],
  ['らーめん', 'ラーメン'],
  ['ｶﾞﾘｶﾞﾘ', 'がりがり'],
];

/** Words that are written in a long and in a short form. They find each other in the search alone. */
const SPELLINGS: [text: string, typed: string][] = [
  ['Müller', 'mueller'],
  ['Müller'.normalize('NFD'), 'mueller'],
  ['MÜLLER', 'muller'],
  ['Mueller', 'müller'],
  ['Mueller', 'muller'],
  ['Århus', 'aarhus'],
  ['Aarhus', 'århus'],
  ['Smørrebrød', 'smoerrebroed'],
  ['Rôtisserie St-Hubert', 'saint hubert'],
  ['Saint-Hubert', 'st. hubert'],
  ['St. John’s', 'saint johns'],
  ['Mt Tremblant', 'mont tremblant'],
  ['Dr. Martens', 'doctor martens'],
  ['Warner Brothers', 'warner bros'],
];

describe('a search finds', () => {
  it.each(FINDS)('“%s” for “%s”', async (text, typed) => {
    await market.create(`${text} deal`, { merchant: 'Shop' });
    await market.create('Another thing', { merchant: `${text} Inc` });
    await market.create('Nothing of it');
    expect((await market.titles({ search: typed })).sort()).toEqual(['Another thing', `${text} deal`].sort());
    expect(await market.titles({ merchant: typed })).toEqual(['Another thing']);
  });

  it.each(SPELLINGS)('“%s” for “%s”', async (text, typed) => {
    await market.create(`${text} deal`, { merchant: 'Shop' });
    await market.create('Another thing', { merchant: `${text} Inc` });
    await market.create('Nothing of it');
    expect((await market.titles({ search: typed })).sort()).toEqual(['Another thing', `${text} deal`].sort());
  });

  it('no coupon that lacks one of the words, and % and _ mean themselves', async () => {
    await market.create('Burger menu');
    expect(await market.titles({ search: 'burger king' })).toEqual([]);
    expect(await market.titles({ search: 'b%ger men_' })).toEqual([]);
  });
});
