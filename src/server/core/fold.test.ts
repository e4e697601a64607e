import { describe, expect, it } from 'vitest';
import { canonicalCode, canonicalMerchant, skeleton } from './fold.ts';

describe('what looks alike has one skeleton', () => {
  it.each([
    ['maple_mia', 'maple.mia', 'Maple-Mia', 'maplernia', 'mapIe_mia', 'map1e_mia', 'mаple_mia'],
    ['referee_ruth', 'REFEREE.RUTH', 'rеfеrее_ruth', 'r\u200beferee-ruth', 'ｒｅｆｅｒｅｅ_ruth'],
    ['bob0', 'bobo', 'BOB-O', 'Воbо'],
    ['will', 'vvill', 'w11l', 'WILL'],
    ['ΝΙΚΗ', 'νικη', 'Νίκη'],
    ['КОФЕ', 'кофе'],
    ['visa', 'VISA', 'νisa', 'vísa'],
  ])('%s', (...texts) => {
    expect(new Set(texts.map(skeleton)).size).toBe(1);
  });

  it('but other names have others', () => {
    const names = [
      'maple_mia',
      'maple_max',
      'maria',
      'marco',
      'newcomer-1',
      'newcomer-2',
      'newcomer-12',
      'дом',
      'кот',
    ];
    expect(new Set(names.map(skeleton)).size).toBe(names.length);
  });
});

describe('a merchant is the same', () => {
  it.each([
    [
      'Nike',
      'NIKE',
      'Nike.',
      'Nike Inc',
      'Nike, Inc.',
      'N i k e',
      'Níke',
      'Nіkе',
      'N\u200bike',
      'nike.com',
      'www.nike.com',
      'Nike GmbH & Co. KG',
    ],
    ['Burger King', 'BurgerKing', 'Burger-King Ltd', 'BURGER  KING®'],
    ['H&M', 'H & M', 'H and M', 'h+m'],
    ['McDonald’s', "McDonald's", 'Mc Donalds', 'MCDONALDS S.A.'],
    ['Nestlé', 'NESTLE SA', 'Nestle S.A.'],
    ['Co', 'CO'],
    ['カフェ', 'ｶﾌｪ'],
  ])('%s', (...texts) => {
    expect(new Set(texts.map(canonicalMerchant)).size).toBe(1);
  });

  it('and no other merchant', () => {
    const merchants = ['Nike', 'Nikon', 'Day Spa', 'Day', 'Tea House', 'Tea', '★', '☆', 'Gap', '川', '山'];
    expect(new Set(merchants.map(canonicalMerchant)).size).toBe(merchants.length);
  });
});

describe('a code is the same', () => {
  it.each([
    [
      'SAVE-10',
      'save10',
      'SAVE.10',
      'SAVE_10',
      '"SAVE 10"',
      '‘SAVE10’',
      'S\u200bAVE10',
      'SАVE1O',
      'ＳＡＶＥ１０',
      '–SAVE–10–',
    ],
    ['***', ' ***'],
  ])('%s', (...texts) => {
    expect(new Set(texts.map(canonicalCode)).size).toBe(1);
  });

  it('and no other code', () => {
    const codes = ['SAVE10', 'SAVE11', 'SAVE1', '10SAVE', 'ÀB1', '***', '**', '+'];
    expect(new Set(codes.map(canonicalCode)).size).toBe(codes.length);
  });
});

it('no form changes when it is formed again', () => {
  for (const text of ['Maple.Mia', 'Nike Inc', 'SAVE-10', 'rnodern', 'Iris', '0800', 'Große', 'vvv'])
    for (const form of [skeleton, canonicalCode]) expect(form(form(text))).toBe(form(text));
});
