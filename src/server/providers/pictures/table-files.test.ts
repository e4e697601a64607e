import { expect, it } from 'vitest';
import { inLanguage } from '#server/core/language.ts';
import { sharedPictures } from '#server/testing/picture-processes.ts';
import { zip } from '../../../../tests/fixtures/passes.ts';
import { readTableFile, readWorkbook } from './table-files.ts';

it('a workbook with something behind its end is refused, instead of waiting for the rest', async () => {
  const file = Buffer.concat([
    zip([{ name: 'xl/workbook.xml', bytes: '<a/>' }]),
    Buffer.alloc(60_000, 'PK\x03\x04'),
  ]);
  await expect(readWorkbook(file)).rejects.toMatchObject({ problem: 'broken' });
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
