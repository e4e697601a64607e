import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JOBS } from '#server/jobs/jobs.ts';
import { countFromOne, createTestDatabase, setUpDatabase } from '#tests/support/database.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { APIS, bench } from './bench.ts';
import { ACTS, fillDeals, RECORDED_DEAL, statementsFor } from './deals.ts';
import { measureJobs, withProgram } from './jobs.ts';
import { fillMarket } from './market.ts';
import { addressOf, MEASURES } from './measures.ts';
import { measureMix, mixOf } from './mix.ts';
import { recordActs, recordStatements } from './recording.ts';
import { fillTrade } from './trade.ts';

const database = setUpDatabase();
const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => countFromOne(database));

const settingsOf = () => ({
  NODE_ENV: 'test',
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
});

it('every call of the bench finds something in its market, and its statements are recorded', async () => {
  await fillMarket(database.url, 300);
  await fillMarket(database.url, 5_000);
  const { rows } = await database.pool.query('select count(*) as count from coupons');
  expect(rows).toEqual([{ count: 5_000 }]);
  const addresses = APIS.flatMap((api) => MEASURES.map((measure) => addressOf(measure, api)));
  const recorded = await recordStatements(settingsOf(), addresses);
  for (const address of addresses) {
    const found = await Promise.all(
      (recorded[address] ?? []).map(({ text, values }) => database.pool.query(text, [...values])),
    );
    expect(
      found.map(({ rowCount }) => rowCount),
      address,
    ).not.toContain(0);
    expect(found.length, address).toBeGreaterThan(0);
  }
});

it('what a job takes in a market of trade is measured', async () => {
  const { url, pool, close } = await createTestDatabase();
  try {
    await fillMarket(url, 400, 40);
    await fillTrade(url);
    const jobs = JOBS.filter(({ name }) => name === 'leaderboard');
    const [row] = await measureJobs({ ...settingsOf(), DATABASE_URL: url }, { jobs });
    expect(row).toMatchObject({ name: 'leaderboard', first: { slowdown: null } });
    // All that the market's trade gives points for.
    const { rows } = await pool.query('select min(rank) as best, count(*) > 40 as all from leaderboard');
    expect(rows).toEqual([{ best: 1, all: true }]);
  } finally {
    await close();
  }
});

it('what people do at once in a market of trade is answered and measured', async () => {
  const { url, pool, close } = await createTestDatabase();
  try {
    await countFromOne({ pool });
    await fillMarket(url, 400, 40);
    await fillTrade(url);
    await fillDeals(url, 5);
    const settings = { ...settingsOf(), DATABASE_URL: url };
    const { capacity, rows } = await withProgram(settings, (_, server) =>
      measureMix(server, mixOf(400, 5), 500),
    );
    expect(capacity).toBeGreaterThan(0);
    for (const { name, answers, refused } of rows) {
      expect([name, answers > 0]).toEqual([name, true]);
      expect([name, refused < answers]).toEqual([name, true]);
    }
  } finally {
    await close();
  }
});

it('the statements of one deal accept and complete another one', async () => {
  const deal = RECORDED_DEAL + 1;
  await fillDeals(database.url, deal);
  const recorded = await recordActs(settingsOf());
  const connection = await database.pool.connect();
  for (const act of ACTS) {
    for (const { text, values } of statementsFor(recorded[act], RECORDED_DEAL, deal))
      await connection.query(text, values);
  }
  connection.release();
  const { rows } = await database.pool.query(
    'select status, (select count(*) from transaction_logs where exchange_id = exchanges.id) as lines from exchanges',
  );
  expect(rows).toEqual(Array(deal).fill({ status: 'completed', lines: 4 }));
});

// It measures, so it belongs to the long form alone.
if (shortOrLong(false, true)) {
  it('finds no ratio further than a quarter from its goal, with up to 100,000 coupons', async () => {
    const { rows, shareOfDeals } = await bench({ sizes: [10_000, 100_000], milliseconds: 1_000, rounds: 3 });
    const missed = rows.filter(({ goal, flatness, sizes }) => {
      const [small, large] = sizes;
      if (!small || !large) return true;
      return (
        sizes.some(({ costs: { own, plain } }) => own.perSecond < 0.75 * goal * plain.perSecond) ||
        large.medianMs > 1.25 * flatness * small.medianMs
      );
    });
    expect(missed).toEqual([]);
    expect(shareOfDeals).toBeGreaterThan(0.75 * 0.6);
  });
}
