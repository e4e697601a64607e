import { describe, expect, it } from 'vitest';
import { TABLE_TEXT_MAX } from '#contract/coupons/coupon-tables.ts';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { readTableFile } from './read-file.ts';
import {
  changed,
  errorsOf,
  fittingText,
  joined,
  NO_COMMON,
  newRow,
  payloadOf,
  type Row,
  repeatedCodes,
  withoutCode,
} from './rows.ts';

const NOW = new Date('2035-06-15T12:00:00Z');

function aRow(given: Partial<Row['coupon']> = {}): Row {
  const { coupon, ...row } = newRow();
  return {
    ...row,
    coupon: {
      ...coupon,
      merchant: 'Corner Coffee',
      title: 'Two coffees for one',
      value: '4.50',
      category: 'food',
      hasNoExpiry: true,
      code: 'LATTE-1',
      ...given,
    },
  };
}

describe('a row', () => {
  it('takes what all have in common where it is empty, and texts from its other cells', () => {
    const row = aRow({ merchant: '', title: '', value: '', category: null });
    const common = {
      ...NO_COMMON,
      merchant: 'Tea & Co',
      value: '20',
      discountType: 'percentage',
      category: 'food',
      askingPrice: '8',
    } as const;
    expect(errorsOf(row, NO_COMMON, NOW)).toMatchObject({
      merchant: /./,
      title: /./,
      value: /./,
      category: /./,
    });
    expect(errorsOf(row, common, NOW)).toEqual({});
    expect(payloadOf(row, common)).toMatchObject({
      merchant: 'Tea & Co',
      title: '20.00% off',
      description: '20.00% off at Tea & Co.',
      value: 2_000,
      codeValue: 'LATTE-1',
      askingPrice: '8.00',
    });
    const own = { ...row, coupon: { ...row.coupon, askingPrice: '9' } };
    expect(payloadOf(own, common)).toMatchObject({ askingPrice: '9.00' });
  });

  it('does not show its code to everybody', () => {
    const row = aRow({ title: 'Coffee, code latte-1' });
    expect(errorsOf(row, NO_COMMON, NOW)).toEqual({ title: 'Everyone can read this. Leave out the code.' });
  });

  it('with the code of another is an error, at the same merchant', () => {
    expect(repeatedCodes([aRow(), aRow({ code: 'latte-1' })], NO_COMMON).size).toBe(1);
    expect(repeatedCodes([aRow(), aRow({ merchant: 'Tea & Co' })], NO_COMMON).size).toBe(0);
  });

  it('is kept without its code, and asks for it again', () => {
    const doubtful = {
      ...aRow(),
      doubts: { code: 'The table says “LATTE-1”.' },
      refusals: { code: 'LATTE-1?' },
    };
    const kept = withoutCode(doubtful);
    expect(JSON.stringify(kept)).not.toContain('LATTE-1');
    expect(errorsOf(kept, NO_COMMON, NOW)).toHaveProperty('code');
    expect(errorsOf(changed(kept, { code: 'LATTE-2' }), NO_COMMON, NOW)).toEqual({});
  });

  it('gets its code back when its spreadsheet is read again, and keeps what was typed', () => {
    const kept = [
      changed(withoutCode(aRow()), { category: 'services' }),
      withoutCode(aRow({ title: 'Another one' })),
    ];
    const rows = joined(kept, [aRow(), aRow({ title: 'A third one' })]);
    expect(
      rows.map(({ coupon, isCodeLost }) => [coupon.title, coupon.category, coupon.code, isCodeLost]),
    ).toEqual([
      ['Two coffees for one', 'services', 'LATTE-1', false],
      ['Another one', 'food', '', true],
      ['A third one', 'food', 'LATTE-1', false],
    ]);
  });

  it('forgets a refusal when it changes', () => {
    const refused: Row = { ...aRow(), refusals: { code: 'Listed.', '': 'Later.' }, deadCode: 'refused' };
    expect(changed(refused, { code: 'LATTE-2' })).toMatchObject({ refusals: {}, deadCode: null });
  });
});

it('of a text that is too long, whole lines are read', () => {
  const line = `${'é'.repeat(TABLE_TEXT_MAX / 4)}`;
  expect(fittingText(`${line}\n${line}\nlast`)).toEqual({ text: line, linesLeft: 2 });
});

it.each([
  ['empty', 'a.csv', '', /empty/],
  ['no spreadsheet', 'a.exe', 'x', /XLSX or CSV/],
  ['too large', 'a.xlsx', new Uint8Array(MAX_IMAGE_BYTES + 1), /larger than 8 MB/],
])('a file that is %s is not sent', async (_, name, part, message) => {
  await expect(readTableFile(new File([part], name), 'dayFirst', undefined)).rejects.toThrow(message);
});
