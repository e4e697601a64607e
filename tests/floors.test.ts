import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/* A domain reads the tables of its own floor and of lower ones. A table lies on the lowest floor that inserts into it. */

const DOMAINS = path.resolve(import.meta.dirname, '../src/server/domains');
const floors: readonly (readonly string[])[] = Object.values(
  JSON.parse(readFileSync(path.join(DOMAINS, 'floors.json'), 'utf8')),
);

/** These stores read tables of a higher floor, where another way would only add plumbing. Add nothing here. */
const STILL_ABOVE: readonly string[] = [
  // A bid that is being paid does not end.
  'deals/expiry-store.ts paymentTransactions',
  // A report about a sale holds its payout back.
  'payments/store.ts userReports',
  // Pictures go when no coupon shows them any more.
  'pictures/store.ts coupons',
];

/** The tables that a text of SQL or of Kysely names after one of these words, in the spelling of Kysely. */
function tablesAfter(words: string, text: string): string[] {
  const inKysely = new RegExp(`\\b\\w*(?:${words})\\w*\\(\\s*'(\\w+)`, 'gi');
  const inSql = new RegExp(`\\b(?:${words}) ([a-z_]+)`, 'g');
  const names = [...text.matchAll(inKysely), ...text.matchAll(inSql)].map(([, name = '']) => name);
  return names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

const stores = floors.flatMap((domains, floor) =>
  domains.flatMap((domain) =>
    readdirSync(path.join(DOMAINS, domain))
      .filter((file) => /(^|-)store\.ts$/.test(file))
      .map((file) => ({
        file: `${domain}/${file}`,
        floor,
        text: readFileSync(path.join(DOMAINS, domain, file), 'utf8'),
      })),
  ),
);

it('no store reads a table of a higher floor', () => {
  const floorOf = new Map<string, number>();
  for (const { floor, text } of stores)
    for (const table of tablesAfter('insert ?into', text)) if (!floorOf.has(table)) floorOf.set(table, floor);
  expect(floorOf.size).toBeGreaterThan(60);
  const above = stores.flatMap(({ file, floor, text }) => {
    const tables = new Set(tablesAfter('from|join|into|update|using', text));
    return [...tables]
      .filter((table) => (floorOf.get(table) ?? 0) > floor)
      .map((table) => `${file} ${table}`);
  });
  expect(above.sort()).toEqual(STILL_ABOVE);
});
