import { expect, it } from 'vitest';
import { zip } from '../../../../tests/fixtures/passes.ts';
import { readWorkbook } from './table-files.ts';

it('a workbook with something behind its end is refused, instead of waiting for the rest', async () => {
  const file = Buffer.concat([
    zip([{ name: 'xl/workbook.xml', bytes: '<a/>' }]),
    Buffer.alloc(60_000, 'PK\x03\x04'),
  ]);
  await expect(readWorkbook(file)).rejects.toMatchObject({ problem: 'broken' });
});
