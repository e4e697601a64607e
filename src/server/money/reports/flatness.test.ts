import { beforeAll, describe, expect, it } from 'vitest';
import type { MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { addUpWeeks } from '#server/money/books/service.ts';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManySales } from '#tests/support/many-sales.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import {
  adminStats,
  feeLogRows,
  feeRows,
  journalRows,
  listFeeLogs,
  listPlatformFees,
  weeklyFees,
} from './service.ts';

/** What admins read about money must cost the same with a thousand sales and with a million. */

const SALES = 6_000;
/** A page has 20 rows; a portion of an export 200; 200 rows are counted; 26 weeks are summed. */
const MOST_ROWS_SEEN = 1_000;

const database = setUpDatabase();
const sent: Statement[] = [];
let me: TestContext & MemberContext;

beforeAll(async () => {
  const ctx = createTestContext({ db: recorded(database, sent) });
  await createManySales(ctx, database, SALES);
  await addUpWeeks(ctx);
  await database.pool.query('vacuum analyze weekly_sums');
  me = actingAs(ctx, await createUser(ctx, { role: 'admin' }));
});

/** What the plans of the statements read too much of. */
async function faultsOf(read: () => Promise<unknown>): Promise<string[]> {
  sent.length = 0;
  await read();
  expect(sent).not.toEqual([]);
  const plans = await Promise.all(sent.map((statement) => planOf(database, statement)));
  return plans
    .flat()
    .filter((node) => node['Relation Name'] && rowsSeen(node) > MOST_ROWS_SEEN)
    .map((node) => `${node['Node Type']} of ${node['Relation Name']}: ${rowsSeen(node)} rows`);
}

const PAGE = { page: 1, limit: 20 };
const SINCE = (days: number) => utcDay(addDays(me.clock(), -days));

describe('for a few rows, few are read', () => {
  it.each<readonly [string, () => Promise<unknown>]>([
    ['the sums', () => adminStats(me)],
    ['the sums of each week', () => weeklyFees(me, { weeks: 104 })],
    ['the fees of all sales', () => listPlatformFees(me, { ...PAGE, period: 'all' })],
    [
      'the fees of sales in a rare state',
      () => listPlatformFees(me, { ...PAGE, period: 'all', status: 'refunded' }),
    ],
    [
      'the fees of sales in a state that has none',
      () => listPlatformFees(me, { ...PAGE, period: 'all', status: 'failed' }),
    ],
    [
      'the fees of sales by price',
      () => listPlatformFees(me, { ...PAGE, period: 'year', sort: 'amount-asc' }),
    ],
    ['the history', () => listFeeLogs(me, PAGE)],
  ])('%s', async (_, read) => {
    expect(await faultsOf(read)).toEqual([]);
  });
});

interface Portion {
  readonly items: readonly { readonly id: number }[];
  readonly nextCursor: string | null;
}

/** The cursor in the middle of an export. */
async function middleOf(read: (page: number | string) => Promise<Portion>): Promise<string> {
  let page: number | string = 1;
  for (let portion = 0; portion < 15; portion += 1) page = (await read(page)).nextCursor ?? '';
  return String(page);
}

describe('a portion of an export is read by its key, without those before it', () => {
  it.each<readonly [string, (page: number | string) => Promise<Portion>]>([
    ['fees', (page) => feeRows(me, { page, limit: 200, period: 'all' })],
    ['fees by price', (page) => feeRows(me, { page, limit: 200, period: 'all', sort: 'amount-desc' })],
    ['history', (page) => feeLogRows(me, { page, limit: 200 })],
    ['journals', (page) => journalRows(me, { page, limit: 200, from: SINCE(400), to: SINCE(0) })],
  ])('%s', async (_, read) => {
    const page = await middleOf(read);
    expect(await faultsOf(async () => expect((await read(page)).items).toHaveLength(200))).toEqual([]);
  });
});
