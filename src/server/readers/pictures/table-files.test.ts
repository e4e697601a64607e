import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { TableCoupon } from '#contract/coupons/coupon-tables.ts';
import { leftOutText } from '#contract/coupons/left-out.ts';
import { inLanguage } from '#server/core/language.ts';
import { zip } from '#tests/fixtures/passes.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { aWorkbook, type WorkbookCell, type WorkbookSheet, workbookOf } from '#tests/support/workbooks.ts';
import { readTableFile } from './table-files.ts';

const FIXTURES = path.join(import.meta.dirname, '../../../../tests/fixtures/tables');

async function readFixture(name: string) {
  const kind = name.endsWith('.xlsx') ? 'workbook' : 'csv';
  return readTableFile(kind, await readFile(path.join(FIXTURES, name)), 'dayFirst');
}

const readBook = (...sheets: WorkbookSheet[]) => readTableFile('workbook', workbookOf(sheets));

const HEADS = ['Merchant', 'Code', 'Value', 'Expires'];
const DAY = { day: '2036-12-31' };

/** The only row of a table with this code, value and last day. */
async function readCells(code: WorkbookCell, value: WorkbookCell, end: WorkbookCell = DAY) {
  const { rows } = await readTableFile('workbook', aWorkbook([HEADS, ['Roots', code, value, end]]));
  expect(rows).toHaveLength(1);
  return { coupon: rows[0]?.coupon, doubts: rows[0]?.doubts };
}

describe('a file of a table', () => {
  it.each<[name: string, lines: readonly (readonly [string, string])[], leftOut: readonly string[]]>([
    [
      'b-total.csv',
      [
        ['AAA-101', '10.00'],
        ['BBB-101', '5.00'],
      ],
      ['Line 6: It looks like a sum of the other rows.'],
    ],
    [
      'b-numfmt-zeros.xlsx',
      [
        ['00420017', '10.00'],
        ['01234567', '10.00'],
      ],
      [],
    ],
    [
      'g-hidden.xlsx',
      [
        ['AAA-101', '10.00'],
        ['CCC-103', '10.00'],
      ],
      ['1 hidden row is left out. Show it in your spreadsheet to add it.', 'Hidden columns: F.'],
    ],
    ['h-second-sheet.xlsx', [['AAA-101', '10.00']], []],
    ['i-hidden-first.xlsx', [['AAA-101', '10.00']], ['Hidden sheets: “S1”.']],
  ])('is read as it is shown: %s', async (name, lines, leftOut) => {
    const table = await readFixture(name);
    expect(table.rows.map(({ coupon }) => [coupon.code, coupon.value])).toEqual(lines);
    expect(table.rows.flatMap(({ doubts }) => Object.values(doubts))).toEqual([]);
    expect(table.leftOut.map(leftOutText)).toEqual(leftOut);
  });

  it('has shares of a whole that are shown as per cent, and says where they are shown rounded', async () => {
    const { rows } = await readFixture('c-percent-format.xlsx');
    expect(rows.map(({ coupon, doubts }) => [coupon.value, coupon.discountType, doubts.value])).toEqual([
      ['100.00', 'percentage', undefined],
      ['8.00', 'percentage', 'The spreadsheet holds 7.5%, and shows 8%.'],
      ['15.00', 'percentage', undefined],
      ['33.00', 'percentage', undefined],
    ]);
  });

  it('has a PIN of its own beside the number of each gift card', async () => {
    const { rows } = await readFixture('f-two-pins.csv');
    const read = rows.map(({ coupon: { code, pin, value, expiryDate }, doubts }) => [
      ...[code, pin, value, expiryDate],
      Object.keys(doubts).join(' '),
    ]);
    expect(read).toEqual([
      ['6035001234567890', '4471', '25.00', '2026-12-31', 'code'],
      ['6035001234567891', '4472', '1025.00', '2026-12-31', 'expiryDate'],
      ['6035001234567892', '4473', '25.00', '2026-12-31', 'expiryDate'],
    ]);
  });

  it('is read in French as in English, whatever its charset', async () => {
    const file = await readFile(path.join(FIXTURES, 'a-fr.csv'));
    const latin = Buffer.from(file.toString('utf8'), 'latin1');
    for (const bytes of [file, latin]) {
      const { rows } = await readTableFile('csv', bytes, 'dayFirst');
      const read = rows.map(
        ({ coupon: { merchant, value, discountType: kind, code, expiryDate }, doubts }) => [
          ...[merchant, value, kind, code, expiryDate],
          Object.keys(doubts).join(' '),
        ],
      );
      expect(read).toEqual([
        ['Boulangerie Côté', '10.50', 'fixed', 'PAIN-10', '2026-12-31', ''],
        ['Épicerie', '15.00', 'percentage', 'EPIC-15', '2026-12-31', ''],
        ['Librairie', '1234.50', 'fixed', 'LIVRE-1', '2027-01-01', ''],
        ['Spa', '7.50', 'percentage', 'SPA-7', '2026-12-31', 'expiryDate'],
        ['Café', expect.stringMatching(/^-5,00 /), 'fixed', 'CAFE-5', '2026-12-31', 'value'],
        ['Théâtre', '50.00', 'percentage', 'THE-21', '2026-12-31', ''],
      ]);
    }
  });
});

describe('a number of a workbook', () => {
  it.each<[format: string, number: number, coupon: Partial<TableCoupon>, doubt: RegExp | undefined]>([
    ['0.00 "CAD"', 25, { value: '25.00', discountType: 'fixed' }, undefined],
    ['#,##0.00\\ "$"', 10.5, { value: '10.50' }, undefined],
    ['[$$-C0C]#,##0.00', 12.5, { value: '12.50' }, undefined],
    ['#,##0.00\\ [$€-40C]', 10, { value: '14.78' }, /from EUR/],
    ['0%', 0.2, { value: '20.00', discountType: 'percentage' }, undefined],
    ['0.0%', 0.075, { value: '7.50', discountType: 'percentage' }, undefined],
    ['"$"0', 9.99, { value: '10.00' }, /holds 9.99, and shows \$10/],
    ['0" CAD', 5, { value: '5.00' }, /./],
  ])('has the unit of its format %s', async (format, number, coupon, doubt) => {
    const { coupon: read, doubts } = await readCells('A-1', { number, format });
    expect(read).toMatchObject(coupon);
    if (doubt) expect(doubts?.value).toMatch(doubt);
    else expect(doubts).toEqual({});
  });

  it.each<[what: string, code: WorkbookCell, read: string, doubt: RegExp | undefined]>([
    ['with zeros of its format', { number: 420_017, format: '00000000' }, '00420017', undefined],
    ['in groups', { number: 12_345_678, format: '0000 0000' }, '1234 5678', undefined],
    ['short', 4_711, '4711', undefined],
    ['of 15 digits', 603_500_123_456_789, '603500123456789', /Compare its last digits/],
    ['in powers of ten', { number: 5e10, format: '0.00E+00' }, '', /has shortened this code/],
    ['that became a date', { day: '2036-03-10', format: 'd-mmm' }, '', /made a date of this code/],
    ['that became a month', { day: '2010-03-01', format: 'mmm-yy' }, '', /made a date of this code/],
  ])('is a code as it is shown, or doubted: %s', async (_, code, read, doubt) => {
    const { coupon, doubts } = await readCells(code, '$10');
    expect(coupon?.code).toBe(read);
    if (doubt) expect(doubts?.code).toMatch(doubt);
    else expect(doubts).toEqual({});
  });

  it('that is shown as a day is that day, in every format', async () => {
    for (const format of ['m/d/yyyy', 'dd/mm/yy', '[$-40C]d\\ mmmm\\ yyyy;@', 'yyyy\\-mm\\-dd hh:mm']) {
      const { coupon, doubts } = await readCells('A-1', '$10', { ...DAY, format });
      expect([coupon?.expiryDate, doubts]).toEqual(['2036-12-31', {}]);
    }
    const { doubts } = await readCells('A-1', '$10', { ...DAY, format: 'd-mmm' });
    expect(doubts?.expiryDate).toBe('The spreadsheet shows 31-Dec, without a year.');
  });

  it('that was typed as a value and became a date is doubted', async () => {
    const { doubts } = await readCells('A-1', { day: '2036-10-05', format: 'd-mmm' });
    expect(doubts?.value).toMatch(/./);
  });
});

describe('what a workbook does not show', () => {
  const row = (index: number): WorkbookCell[] => ['Roots', `R-${index}`, '$10', DAY];

  it('is no coupon without asking', async () => {
    const table = await readBook(
      { name: 'Lists', state: 'hidden', rows: [HEADS, row(1)] },
      { name: 'Notes', rows: [['Read me first']] },
      { name: 'Mine', rows: [HEADS, row(2), row(3), row(4)], hiddenRows: [3, 4] },
      { name: 'Old', rows: [HEADS, row(5)] },
    );
    expect(table.rows.map(({ coupon }) => coupon.code)).toEqual(['R-2']);
    expect(table.leftOut.map(leftOutText)).toEqual([
      '2 hidden rows are left out. Show them in your spreadsheet to add them.',
      'Other sheets: “Old”. Save each as a file of its own to add it.',
      'Hidden sheets: “Lists”.',
    ]);
  });

  it('a value of its own is left out with the name of its cell', async () => {
    const table = await readBook({
      name: 'Mine',
      merged: ['A4:A5', 'A1:D1'],
      rows: [
        ['My coupons', '', '', ''],
        HEADS,
        ['Roots', 'R-1', { formula: 'C9*2' }, DAY],
        ['Tea', { error: '#REF!' }, '$5', DAY],
        ['', 'R-3', { formula: '2*2', result: 4 }, DAY],
        ['Sum', '', { formula: 'SUM(C3:C5)', result: 9 }, ''],
      ],
    });
    expect(table.rows.map(({ coupon: { merchant, code, value } }) => [merchant, code, value])).toEqual([
      ['Roots', 'R-1', ''],
      ['Tea', '', '5.00'],
      ['', 'R-3', '4.00'],
    ]);
    expect(table.leftOut.map(leftOutText)).toEqual([
      'Formulas without a stored result: C3. Open the file in your spreadsheet, and save it again.',
      'Cells with an error in place of a value: B4.',
      'Cells that are merged with others, of which only the first has a value: A5.',
      'Line 6: It looks like a sum of the other rows.',
    ]);
  });

  it('is counted where it is too much', async () => {
    const rows = Array.from({ length: 1_300 }, (_, index) => row(index));
    const { leftOut } = await readBook({ name: 'Mine', rows: [HEADS, ...rows] });
    expect(leftOut).toEqual([{ what: 'rows', count: 1_200 }]);
  });

  it('is said where nothing else is there', async () => {
    const table = await readBook({ name: 'Mine', state: 'veryHidden', rows: [HEADS, row(1)] });
    expect(table).toMatchObject({ rows: [], leftOut: [{ what: 'sheets', names: ['Mine'], isHidden: true }] });
  });
});

describe('a workbook that cannot be read', () => {
  it.each<[what: string, file: Uint8Array, problem: string]>([
    ['cut off', aWorkbook([HEADS]).subarray(0, 300), 'broken'],
    ['no archive', Buffer.from('PK'), 'broken'],
    ['another archive', zipSync({ 'a.xml': strToU8('<a/>') }), 'broken'],
    [
      // Instead of waiting for the rest.
      'with something behind its end',
      Buffer.concat([zip([{ name: 'xl/workbook.xml', bytes: '<a/>' }]), Buffer.alloc(60_000, 'PK\x03\x04')]),
      'broken',
    ],
    [
      'that unpacks to more than a spreadsheet has',
      zipSync({ '_rels/.rels': new Uint8Array(31_000_000) }),
      'too_many_parts',
    ],
    [
      'with a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'locked',
    ],
  ])('is refused: %s', async (_, file, problem) => {
    await expect(readTableFile('workbook', file)).rejects.toMatchObject({ problem });
  });
});

it('the doubts of a table are told in the language of whoever asks', async () => {
  const text = 'Merchant,Code,Value\nShear Joy,A-1,abc';
  const read = () => sharedPictures().readTable({ text, dateOrder: 'dayFirst' });
  const [english, french] = [await inLanguage('en', read), await inLanguage('fr', read)];
  expect(english.rows[0]?.doubts.value).toMatch(/^We cannot read/);
  expect(french.rows[0]?.doubts.value).toMatch(/^Nous n’arrivons pas à lire/);
});

it('a day that can be read both ways is read as its language writes it, and doubted', async () => {
  const file = Buffer.from('Merchant,Expires\nShear Joy,03/04/2036');
  const read = () => readTableFile('csv', file);
  const [english, french] = [await inLanguage('en', read), await inLanguage('fr', read)];
  expect([english, french].map(({ rows }) => rows[0]?.coupon.expiryDate)).toEqual([
    '2036-03-04',
    '2036-04-03',
  ]);
  expect(french.rows[0]?.doubts.expiryDate).toContain('03/04/2036');
});
