import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { startSession } from '#server/domains/sessions/service.ts';
import { createBid } from '#server/testing/bids.ts';
import {
  createTestClock,
  createTestContext,
  createUser,
  type TestContext,
} from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { itLong } from '#server/testing/long-form.ts';
import { insertHeldSale, type TestSale } from '#server/testing/sales.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';

/** One of the marketplace's processes runs on a machine whose clock was set forward by a year. */

const database = setUpDatabase();
let ctx: TestContext;
let server: ServerProcess;
let buyer: Actor;
let cookie: string;
let sale: TestSale;
let bidId: number;
beforeAll(async () => {
  ctx = createTestContext(database, { clock: createTestClock(new Date()) });
  [buyer] = [await createUser(ctx)];
  const seller = await createUser(ctx);
  sale = await insertHeldSale(ctx, buyer, seller);
  bidId = (await createBid(ctx)).id;
  cookie = `clipswap=${(await startSession(ctx.db, ctx.clock, buyer.id)).token}`;
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PORT: String(await freePort()),
    PUBLIC_URL: 'http://localhost',
    AHEAD_DAYS: '365',
  };
  server = await startServer(settings, { entry: path.resolve(import.meta.dirname, 'clock-app.ts') });
});
afterAll(() => server.stop());

// In chaos.test.ts the clock of a process is ahead, too.
itLong(
  'a process whose clock was set forward releases no money and ends no deal and no session early',
  async () => {
    const jobs = ['payments-stripe', 'payments-deadlines', 'deadlines', 'status-effects', 'clean-up'];
    await expect
      .poll(() =>
        ctx.db
          .selectFrom('jobRuns')
          .select('name')
          .where('name', 'in', jobs)
          .where('durationMs', 'is not', null)
          .execute(),
      )
      .toHaveLength(jobs.length);
    const [payment, bid, session, runs] = await Promise.all([
      ctx.db
        .selectFrom('paymentTransactions')
        .selectAll()
        .where('id', '=', sale.paymentId)
        .executeTakeFirst(),
      ctx.db.selectFrom('bids').select('status').where('id', '=', bidId).executeTakeFirst(),
      fetch(`${server.url}/api/my-coupons`, { headers: { cookie } }),
      ctx.db.selectFrom('jobRuns').select(['name', 'startedAt', 'lastError']).execute(),
    ]);
    expect({ payment: payment?.status, bid: bid?.status, session: session.status }).toEqual({
      payment: 'held',
      bid: 'pending',
      session: 200,
    });
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(
      runs.filter(({ startedAt, lastError }) => lastError || (startedAt ?? tomorrow) >= tomorrow),
    ).toEqual([]);
  },
);
