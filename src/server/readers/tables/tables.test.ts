import { describe, expect, it } from 'vitest';
import { TABLE_ROWS_MAX, type TableCoupon } from '#contract/coupons/coupon-tables.ts';
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
    expect(table.leftOut).toEqual([{ what: 'columns', names: ['Remarque'] }]);
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
    expect(table.leftOut).toEqual([{ what: 'line', line: 3, problem: 'Its quotes do not match' }]);
  });

  it('says how many rows are left of a long one', async () => {
    const lines = Array.from({ length: TABLE_ROWS_MAX + 7 }, (_, index) => `Roots,R-${index}`);
    const table = await read(`Merchant,Code\n${lines.join('\n')}`);
    expect(table.rows).toHaveLength(TABLE_ROWS_MAX);
    expect(table.leftOut).toEqual([{ what: 'rows', count: 7 }]);
  });
});

it.each([
  ['de', 'Händler;Gutscheincode;PIN;Wert;Gültig bis', 'unbegrenzt', 'Summe'],
  ['es', 'Tienda;Código;PIN;Valor;Válido hasta', 'sin caducidad', 'Total'],
  ['it', 'Negozio;Codice sconto;PIN;Sconto;Scadenza', 'senza scadenza', 'Totale'],
  ['nl', 'Winkel;Kortingscode;Pincode;Korting;Geldig tot', 'onbeperkt', 'Totaal'],
  ['pt', 'Loja;Código de desconto;PIN;Desconto;Válido até', 'sem validade', 'Soma'],
  ['pl', 'Sklep;Kod rabatowy;PIN;Zniżka;Ważny do', 'bezterminowo', 'Razem'],
])('names its columns, the end of none and its sum in the language %s', async (_, heads, never, sum) => {
  const table = await read(
    `${heads}\nCafé;AB-12;0471;15 %;31.12.2036\nBar;CD-34;;5 $;${never}\n${sum};;;20;`,
  );
  expect(table.rows.map(({ coupon, doubts }) => [coupon, doubts])).toMatchObject([
    [{ merchant: 'Café', code: 'AB-12', pin: '0471', value: '15.00', expiryDate: '2036-12-31' }, {}],
    [{ merchant: 'Bar', code: 'CD-34', pin: '', value: '5.00', hasNoExpiry: true }, {}],
  ]);
  expect(table.leftOut).toEqual([
    { what: 'line', line: 4, problem: 'It looks like a sum of the other rows' },
  ]);
});

describe('a row that is no coupon', () => {
  const HEADS = 'Merchant,Title,Code,Value,Expires';

  it.each([
    ['Total,,,$30.00,', 'It looks like a sum of the other rows'],
    ['Total: $30,,,,', 'It looks like a sum of the other rows'],
    ['Grand total,2 coupons,2,$30.00,', 'It looks like a sum of the other rows'],
    ['Not valid on holidays,,,,', 'It says too little for a coupon'],
    [',,AAA-1,,', 'It says too little for a coupon'],
    [',,,$30.00,', 'It says too little for a coupon'],
  ])('is refused: %s', async (row, problem) => {
    const table = await read(`${HEADS}\n${row}\nRoots,Gift,R-1,$5,2036-12-31`);
    expect(table.rows.map(({ coupon }) => coupon.code)).toEqual(['R-1']);
    expect(table.leftOut).toEqual([{ what: 'line', line: 2, problem }]);
  });

  it('is not one of a merchant that is called like a sum', async () => {
    const table = await read(`${HEADS}\nTotal,5 off fuel,T-1,$5,2036-12-31`);
    expect(table).toMatchObject({ rows: [{ coupon: { merchant: 'Total' } }], leftOut: [] });
  });

  it('is said where it stands above the names of the columns, unless it is a title', async () => {
    const table = await read(`My gift cards\nKept by,Sam\n${HEADS}\nRoots,Gift,R-1,$5,`);
    expect(table.leftOut).toEqual([
      { what: 'line', line: 2, problem: 'It stands above the names of the columns' },
    ]);
  });

  it('may name the columns again, in another order', async () => {
    const table = await read('Merchant,Code\nRoots,R-1\nCode,Merchant\nI-3,IKEA');
    expect(table.rows.map(({ coupon }) => [coupon.merchant, coupon.code])).toEqual([
      ['Roots', 'R-1'],
      ['IKEA', 'I-3'],
    ]);
  });
});

it.each([
  ['6035001234567891 PIN 4471', '6035001234567891', '4471', undefined],
  ['GIFT-77 (NIP: 0071)', 'GIFT-77', '0071', undefined],
  ['PIN 4471', '', '4471', /The table says/],
  ['HAIR-PIN-100', 'HAIR-PIN-100', '', undefined],
])('the cell of a code %s has the code %s and the PIN %s', async (cell, code, pin, doubt) => {
  const { rows } = await read(`Merchant,Code,Value\nRoots,${cell},$5`);
  expect(rows[0]?.coupon).toMatchObject({ code, pin });
  if (doubt) expect(rows[0]?.doubts.code).toMatch(doubt);
  else expect(rows[0]?.doubts.code).toBeUndefined();
});

describe('lines without names of columns', () => {
  it('are not taken for them, whatever they say', async () => {
    expect(await couponsIn('Coffee, $15\nTea, $10')).toMatchObject([
      { merchant: 'Coffee', value: '15.00' },
      { merchant: 'Tea', value: '10.00' },
    ]);
  });

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
  ['10-Mar', '10-Mar', /looks like a date/],
  ['déc.-10', 'déc.-10', /looks like a date/],
  ['2036-03-10', '2036-03-10', /looks like a date/],
  ['MAR-10', 'MAR-10', undefined],
  ['#REF!', '', undefined],
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
