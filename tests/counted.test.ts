import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/*
 * What one person's accounts do with each other is in no figure about people, codes and merchants (decisions 5.6). The views
 * `counted_*` have only the rest, so figures read them. A query that counts rows of the tables below counts for somebody or
 * is named here.
 */

const SERVER = path.resolve(import.meta.dirname, '../src/server');

const TABLES = [
  ...['coupon_transfers', 'exchanges', 'exchange_legs', 'exchange_parties', 'bids', 'payment_transactions'],
  ...['claims', 'code_feedback', 'user_ratings', 'transaction_logs', 'uncounted_pairs'],
];

/** What is counted here is no figure about anybody that others see. Money is counted wherever it is. */
const NO_FIGURES: readonly string[] = [
  // Their own deals under way, work to do, and savings that only they see.
  'deals/away/store.ts hasIgnored',
  'deals/bids/store.ts findPast',
  'deals/lifecycle/store.ts countOpen',
  'deals/exchanges/store.ts findOverOffered',
  'deals/matches/queue-store.ts endProposed',
  'money/payment-issues/store.ts findAll',
  'money/claims/store.ts countLateClaims',
  'money/claims/store.ts countUnderWay',
  'money/claims/store.ts countOpenClaims',
  'oversight/profiles/store.ts sumSavings',
  // Money, and whether the records are whole.
  'money/comparison/store.ts sumBooked',
  'money/debts/store.ts listDebts',
  'money/debts/store.ts listNextPayouts',
  'money/reports/store.ts balanceBefore',
  'money/reports/store.ts sumMonth',
  'money/books/reserve-store.ts coveredFor',
  'money/books/checks-store.ts RULES',
  'money/books/checks-store.ts countBooks',
  'money/books/checks-store.ts findWrongBalances',
  'money/books/deposits-store.ts DEPOSIT_RULES',
  'oversight/proofs/books-store.ts sumMoney',
  'oversight/proofs/checking-store.ts RULES',
  // They count rows of counted_claims, and ask the table who has decided, or who are one person.
  'money/claims/records-store.ts countGranted',
  'money/claims/records-store.ts listOpenClaimants',
  'money/claims/records-store.ts listSides',
  'money/claims/deadlines-store.ts countRecord',
  // Public codes have no two sides; who listed a coupon first is no deal.
  'coupons/discover/offer-feedback-store.ts countFeedback',
  'oversight/leaderboard/store.ts verifiedCoupons',
];

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const COUNTS = /\b(?:count|sum|avg|percentile_\w+)\(|\.(?:countAll|count|sum|avg)\b/;
const READS = new RegExp(
  `\\b(?:from|join) (?:${TABLES.join('|')})\\b|(?:From|Join)\\(\\s*'(?:${TABLES.map(camel).join('|')})\\b`,
);

/** The functions and constants of a file that count rows of the tables, also by another function of the file. */
function countingIn(text: string): string[] {
  const parts = text.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/);
  const nameOf = (part: string) => /(?:function|const) (\w+)/.exec(part)?.[1] ?? '?';
  const readers = parts.filter((part) => READS.test(part)).map(nameOf);
  const uses = new RegExp(`\\$\\{(?:${readers.join('|')})\\b`);
  return parts
    .filter((part) => COUNTS.test(part))
    .filter((part) => READS.test(part) || (readers.length > 0 && uses.test(part)))
    .map(nameOf);
}

it('figures about people, codes and merchants read the views of what counts', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const found = files.flatMap((file) =>
    countingIn(readFileSync(path.join(SERVER, file), 'utf8')).map((name) => `${file} ${name}`),
  );
  expect(found.sort()).toEqual([...NO_FIGURES].sort());
});

it('a query that counts claims is found, one that reads the view is not', () => {
  const query = (table: string) => `async function lost() {\n  sql\`select count(*) from ${table}\`;\n}`;
  const inKysely =
    "function won(db) {\n  return db.selectFrom('claims').select(({ fn }) => fn.countAll());\n}";
  expect(countingIn(`${query('claims')}\n${query('counted_claims')}\n${inKysely}`)).toEqual(['lost', 'won']);
  const inParts = `${query('bids')}\nconst sum = () => sql\`select count(*) from (\${lost()})\`;`.replace(
    'count(*)',
    'id',
  );
  expect(countingIn(inParts)).toEqual(['sum']);
});
