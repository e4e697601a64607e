import { describe, expect, it } from 'vitest';
import { TABLE_ROWS_MAX, type TableCoupon } from '#contract/coupon-tables.ts';
import { readTable } from './tables.ts';

const read = (text: string) => readTable({ text, dateOrder: 'monthFirst' });
const couponsIn = async (text: string) => (await read(text)).rows.map(({ coupon }) => coupon);

describe('a table with names of columns', () => {
  it('is read whatever people call them, and in their language', async () => {
    const french = [
      'Mes coupons;;;;;',
      'Magasin;Titre;Rabais;Code promo;Échéance;Catégorie;Remarque',
      'Café Nord;Deux cafés pour un;10,50 $;NORD-1;31/12/2036;Nourriture;x',
      'Ski Sud;;20 %;SUD-2;jamais;Voyage;',
    ].join('\r\n');
    const table = await read(french);
    expect(table.rows).toMatchObject([
      {
        line: 3,
        doubts: {},
        coupon: {
          merchant: 'Café Nord',
          title: 'Deux cafés pour un',
          value: '10.50',
          discountType: 'fixed',
          code: 'NORD-1',
          expiryDate: '2036-12-31',
          category: 'food',
        },
      },
      { coupon: { value: '20.00', discountType: 'percentage', hasNoExpiry: true, category: 'travel' } },
    ]);
    expect(table.unusedColumns).toEqual(['Remarque']);
  });

  it('reads the rarer fields', async () => {
    const text =
      'Merchant\tOffer\tTerms\tDetails\tAsking price\tValid in\nRoots\t$15 off a sweater\tOnce\tAny sweater\t$8.50\tCanada, US';
    expect(await couponsIn(text)).toMatchObject([
      {
        value: '15.00',
        terms: 'Once',
        description: 'Any sweater',
        askingPrice: '8.50',
        regions: ['CA', 'US'],
      },
    ]);
  });

  it('loses only the lines that are broken', async () => {
    const table = await read('Merchant,Code\nRoots,R-1\n"Bad,B-2\nIKEA,I-3');
    expect(table.rows.map(({ coupon }) => coupon.code)).toEqual(['R-1', 'I-3']);
    expect(table.unread).toEqual([{ line: 3, problem: 'Its quotes do not match' }]);
  });

  it('says how many rows are left of a long one', async () => {
    const lines = Array.from({ length: TABLE_ROWS_MAX + 7 }, (_, index) => `Roots,R-${index}`);
    const table = await read(`Merchant,Code\n${lines.join('\n')}`);
    expect([table.rows.length, table.rowsLeft]).toEqual([TABLE_ROWS_MAX, 7]);
  });
});

describe('lines without names of columns', () => {
  it('are understood by what they look like', async () => {
    const text = 'Tim’s, $10, TIM-123-456, 2036-03-31\nRoots, 25%, RTS99X, April 3 2036';
    expect(await couponsIn(text)).toMatchObject([
      { merchant: 'Tim’s', value: '10.00', code: 'TIM-123-456', expiryDate: '2036-03-31', title: '' },
      { merchant: 'Roots', value: '25.00', discountType: 'percentage', expiryDate: '2036-04-03' },
    ]);
  });

  it('with one cell each are codes, so that nobody else sees them', async () => {
    const { rows } = await read('ABC-123\nTen off at Roots with code XYZ9');
    expect(rows.map(({ coupon }) => [coupon.code, coupon.title, coupon.merchant])).toEqual([
      ['ABC-123', '', ''],
      ['XYZ9', '', ''],
    ]);
    expect(rows[1]?.doubts.code).toContain('Leave only the code');
  });
});

it.each<[head: string, cell: string, coupon: Partial<TableCoupon>, doubt: string | undefined]>([
  // Spreadsheets store per cent as a part of a whole.
  ['Discount', '0.2', { value: '20.00', discountType: 'percentage' }, 'We read 0.2 as 20.00%.'],
  ['Amount', '0.50', { value: '0.50', discountType: 'fixed' }, undefined],
  ['% off', '15', { value: '15.00', discountType: 'percentage' }, undefined],
  [
    'Value',
    '30',
    { value: '30.00', discountType: 'fixed' },
    'We read 30 as Canadian dollars. Choose % if it is a percentage.',
  ],
  ['Value', '20 USD', { value: '27.20' }, 'We converted it from USD to 27.20 CAD.'],
  ['Value', '1 234,50 $', { value: '1234.50', discountType: 'fixed' }, undefined],
  ['Value', '7,5 %', { value: '7.50', discountType: 'percentage' }, undefined],
  ['Balance', '10.100000000000001', { value: '10.10', discountType: 'fixed' }, undefined],
  ['Value', '-5,00 €', { value: '-5,00 €' }, 'We cannot read “-5,00 €”. Enter a number.'],
  ['Value', '2 x 500 $', {}, 'We cannot read “2 x 500 $”. Enter a number.'],
  ['Value', '1,500', {}, 'We cannot read “1,500”. Enter a number.'],
  ['Asking price', '1 234,50 $', { askingPrice: '1234.50' }, undefined],
  ['Value', 'a free bun', { value: 'a free bun' }, 'We cannot read “a free bun”. Enter a number.'],
])('the cell %s: %s', async (head, cell, coupon, doubt) => {
  const { rows } = await read(`Merchant;${head}\nRoots;${cell}`);
  expect(rows[0]?.coupon).toMatchObject(coupon);
  expect(rows[0]?.doubts.value).toBe(doubt);
});

it.each([
  ['6006490000000123000', '6006490000000123000', /Compare its last digits/],
  ['6.00649E+18', '', /has shortened this code/],
  ['n/a', '', undefined],
  ['1234 5678 9012 3456 7890', '1234 5678 9012 3456 7890', undefined],
])('the code %s', async (cell, code, doubt) => {
  const { rows } = await read(`Merchant,Code\nRoots,${cell}`);
  expect(rows[0]?.coupon.code).toBe(code);
  if (doubt) expect(rows[0]?.doubts.code).toMatch(doubt);
  else expect(rows[0]?.doubts.code).toBeUndefined();
});

describe('a date of numbers', () => {
  const dates = async (...texts: string[]) => {
    const table = await read(`Merchant,Expires\n${texts.map((text) => `Roots,${text}`).join('\n')}`);
    const days = table.rows.map(({ coupon }) => coupon.expiryDate);
    return [...days, table.guessedOrder, table.rows.some(({ doubts }) => doubts.expiryDate)];
  };

  it('is read in the order that another date decides', async () => {
    expect(await dates('03/04/2036', '31/12/2036')).toEqual(['2036-04-03', '2036-12-31', null, false]);
  });

  it('is read as the reader writes dates where none decides, with a doubt', async () => {
    expect(await dates('03/04/2036')).toEqual(['2036-03-04', 'monthFirst', true]);
  });

  it.each([
    ['12/2036', '2036-12-31', undefined],
    ['2036-12', '2036-12-31', undefined],
    ['fin décembre 2036', '2036-12-31', undefined],
    ['1er janvier 2037', '2037-01-01', undefined],
    ['31 grudnia 2036', '2036-12-31', undefined],
    ['12/36', '2036-12-31', undefined],
    ['12/26', '2026-12-31', 'The table says 12/26.'],
    ['déc-26', '2026-12-31', 'The table says déc-26.'],
    ['31/12/2569', '', 'We cannot read “31/12/2569”. Enter a date with its year.'],
  ])('may be a month, which ends then: %s', async (text, day, doubt) => {
    const { rows } = await read(`Merchant,Expires\nRoots,${text}`);
    expect([rows[0]?.coupon.expiryDate, rows[0]?.doubts.expiryDate]).toEqual([day, doubt]);
  });

  it('that is none is doubtful', async () => {
    const { rows } = await read('Merchant,Expires\nRoots,March 31');
    expect(rows[0]?.doubts.expiryDate).toBe('We cannot read “March 31”. Enter a date with its year.');
  });
});
