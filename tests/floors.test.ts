import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { drawHouse, drawnHouse } from '../scripts/checks/house.ts';

/* A room reads the tables of its own floor and of lower ones. A table lies on the lowest floor that inserts into it. */

const SERVER = path.resolve(import.meta.dirname, '../src/server');
const FLOORS = ['people', 'coupons', 'deals', 'money', 'oversight'];

/** These files read tables of a higher floor, where another way would only add plumbing. Add nothing here. */
const STILL_ABOVE: readonly string[] = [
  // A bid that is being paid does not end.
  'deals/lifecycle/expiry-store.ts paymentTransactions',
  // A report about a sale holds its payout back.
  'money/payments/store.ts userReports',
  // Pictures go when no coupon shows them any more.
  'people/pictures/store.ts coupons',
];

interface Source {
  readonly file: string;
  readonly floor: number;
  readonly text: string;
}

/** The tables that a text of SQL or of Kysely names after one of these words, in the spelling of Kysely. */
function tablesAfter(words: string, text: string): string[] {
  const inKysely = new RegExp(`\\b\\w*(?:${words})\\w*\\(\\s*'(\\w+)`, 'gi');
  const inSql = new RegExp(`\\b(?:${words}) ([a-z_]+)`, 'g');
  const names = [...text.matchAll(inKysely), ...text.matchAll(inSql)].map(([, name = '']) => name);
  return names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** The lowest floor that inserts into each table. */
function floorsOfTables(sources: readonly Source[]): ReadonlyMap<string, number> {
  const floors = new Map<string, number>();
  for (const { floor, text } of sources)
    for (const table of tablesAfter('insert ?into', text)) if (!floors.has(table)) floors.set(table, floor);
  return floors;
}

/** `file table`, of each file that reads a table of a higher floor. */
function readsAbove(sources: readonly Source[], floors = floorsOfTables(sources)): string[] {
  return sources.flatMap(({ file, floor, text }) => {
    const tables = new Set(tablesAfter('from|join|into|update|using', text));
    return [...tables].filter((table) => (floors.get(table) ?? 0) > floor).map((table) => `${file} ${table}`);
  });
}

const sources = FLOORS.flatMap((folder, floor) =>
  readdirSync(path.join(SERVER, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => path.join(folder, file))
    .map((file) => ({ file, floor, text: readFileSync(path.join(SERVER, file), 'utf8') })),
);

it('no file reads a table of a higher floor', () => {
  expect(floorsOfTables(sources).size).toBeGreaterThan(60);
  expect(readsAbove(sources).sort()).toEqual(STILL_ABOVE);
});

it('a file of any name that reads a higher floor is found', () => {
  const reading = (text: string): Source => ({ file: 'people/clocks/clock-stops.ts', floor: 0, text });
  const high = [reading('sql`select id from bids`'), reading("db.updateTable('bids')")];
  const low = reading('sql`select id from users`');
  expect([...high, low].map((one) => readsAbove([one], floorsOfTables(sources)).length)).toEqual([1, 1, 0]);
});

it('CONTRIBUTING.md shows the rooms that there are: npm run house draws them', () => {
  expect(drawnHouse()).toBe(drawHouse());
});
