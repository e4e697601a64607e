import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseHandle } from '#server/database/client.ts';
import { readRows } from '#server/readers/feeds/rows.ts';
import { createTestContext, type TestContext } from '#tests/support/builders.ts';
import { connectTo, setUpDatabase } from '#tests/support/database.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { importFeed } from './importing.ts';

const database = setUpDatabase();
/** The importer's only connection, so that its statistics cover everything the import has read. */
let single: DatabaseHandle;
let ctx: TestContext;
beforeAll(() => {
  single = connectTo(database, 1);
  ctx = createTestContext(single);
});
afterAll(async () => {
  await single.close();
});

const OFFERS = shortOrLong(10_000, 100_000);

/** The feed's text, generated as it is read; one row in a thousand is broken. */
async function* csv(count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('merchant,code,title,description,percent_off,end_date,url\n');
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const number = start + index;
      if (number % 1_000 === 999) return `Shop ${number % 400},BROKEN${number},"never closed,x,10,,`;
      return `Shop ${number % 400},CODE${number},"Offer ${number}, this week",Words about it,${1 + (number % 50)},2036-01-01,https://shop.example/${number}`;
    });
    yield Buffer.from(`${rows.join('\n')}\n`);
  }
}

/** Rows that this connection has read so far, with or without an index. */
async function rowsRead(): Promise<number> {
  await single.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float as read from pg_stat_user_tables
     where relname like 'feed%'`,
  );
  return rows[0]?.read ?? 0;
}

async function measured(count: number, name: string) {
  const refused: string[] = [];
  let mostMemory = 0;
  const before = await rowsRead();
  const totals = await importFeed(ctx, {
    name,
    rows: readRows(csv(count), { format: 'csv' }),
    onRefused: (line, reason) => refused.push(`${line}: ${reason}`),
    onProgress: () => {
      mostMemory = Math.max(mostMemory, process.memoryUsage().rss);
    },
  });
  return { totals, refused, read: (await rowsRead()) - before, mostMemory };
}

const state = async () =>
  (
    await database.pool.query(
      `select count(*), max(updated_at), md5(string_agg(xmin::text || xmax::text || ctid::text, ',' order by id)) as versions
       from feed_offers`,
    )
  ).rows;

/** A batch that searched all offers would read each of them once for every 500. */
const MOST_READS = 5;

it('imports a large feed in bounded memory, skips only broken rows, changes nothing the second time, and reads an offer a few times', async () => {
  // The first import loads code and lets the heap grow.
  await measured(OFFERS / 10, 'small');
  await database.pool.query('truncate feeds, feed_offers, feed_merchants cascade');
  const before = process.memoryUsage().rss;
  const first = await measured(OFFERS, 'large');
  const none = { added: 0, changed: 0, unchanged: 0, removed: 0 };
  const refused = OFFERS / 1_000;
  expect(first.totals).toEqual({ ...none, added: OFFERS - refused, refused });
  expect(first.refused[0]).toBe('1001: Its quotes do not match');
  expect(first.mostMemory - before).toBeLessThan(150_000_000);
  const afterFirst = await state();

  ctx.clock.advanceDays(1);
  const second = await measured(OFFERS, 'large');
  expect(second.totals).toEqual({ ...none, unchanged: OFFERS - refused, refused });
  expect(await state()).toEqual(afterFirst);

  const third = await measured(OFFERS / 10, 'large');
  const unchanged = first.totals.added / 10;
  const removed = first.totals.added - unchanged;
  expect(third.totals).toEqual({ ...none, unchanged, refused: refused / 10, removed });
  for (const { read } of [first, second, third]) expect(read / OFFERS).toBeLessThan(MOST_READS);
});
