import { expect, it } from 'vitest';
import type { TableCoupon, TableRow } from '#contract/coupons/coupon-tables.ts';
import { readTableFile } from '#server/readers/pictures/table-files.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { drawTable, type Fact } from './drawn-tables.ts';

const TABLES = shortOrLong(100, 3_000);

const FIELDS = ['code', 'value', 'expiryDate', 'merchant', 'title', 'pin'] as const;
type Field = (typeof FIELDS)[number];

function isRight(field: Field, { coupon }: TableRow, fact: Fact): boolean {
  switch (field) {
    case 'value':
      return coupon.value === fact.value && coupon.discountType === kindOf(fact);
    case 'expiryDate':
      return fact.day === null ? coupon.hasNoExpiry : coupon.expiryDate === fact.day;
    case 'code':
      return coupon.code === fact.code && !fact.isSpoilt;
    default:
      return coupon[field] === fact[field];
  }
}

const kindOf = ({ isPercentage }: Fact): TableCoupon['discountType'] =>
  isPercentage ? 'percentage' : 'fixed';

it('what a person sees in a drawn table is what is read, or it is doubted', async () => {
  const right = new Map<Field, number>(FIELDS.map((field) => [field, 0]));
  const wrong: string[] = [];
  let count = 0;
  for (let seed = 1; seed <= TABLES; seed += 1) {
    const { kind, language, file, facts, layout } = drawTable(seed);
    const { rows } = await readTableFile(kind, file, language === 'en' ? 'monthFirst' : 'dayFirst');
    if (rows.length !== facts.length)
      wrong.push(`table ${seed}: ${rows.length} rows of ${facts.length}\n${layout}`);
    for (const [place, fact] of facts.entries()) {
      count += 1;
      const row = rows[place];
      for (const field of FIELDS) {
        if (row && isRight(field, row, fact)) right.set(field, (right.get(field) ?? 0) + 1);
        else if (row && row.doubts[field] === undefined)
          wrong.push(
            `table ${seed}: ${field} is ${row.coupon[field]}, not ${JSON.stringify(fact)}\n${layout}`,
          );
      }
    }
  }
  expect(wrong).toEqual([]);
  for (const [field, times] of right) expect(times / count, field).toBeGreaterThanOrEqual(0.95);
});
