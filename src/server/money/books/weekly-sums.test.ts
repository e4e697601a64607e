import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { bookTotals, checkLedger } from './ledger.ts';
import { type BookedPayment, NO_TOTALS } from './rules.ts';
import { addUpWeeks, sumAllWeeks, sumWeeks } from './weekly-sums-store.ts';

const ctx = setUpContext();
const MONDAY = '2035-06-11';
let held: BookedPayment;

beforeAll(async () => {
  ctx.clock.set(new Date('2035-06-13T12:00:00Z'));
  await writePayment(ctx, 'open');
  held = await writePayment(ctx, 'held');
  await writePayment(ctx, 'completed', 'paypal');
  await writePayment(ctx, 'refunded');
});

const sums = async () => ({
  ...(await sumAllWeeks(ctx.db)),
  weeks: await sumWeeks(ctx.db, { first: '2035-06-04', last: MONDAY }),
});
const countRows = async () =>
  (await ctx.db.selectFrom('weeklySums').select('week').where('week', '=', MONDAY).execute()).length;

describe('the sums of weeks', () => {
  it('are the same after they were added up, by the day of the payment, and those of a late change too', async () => {
    const before = await sums();
    expect(before).toMatchObject({ sales: 2, fees: '2.00' });
    expect(before.weeks).toEqual([
      { week: '2035-06-04', sales: 0, fees: '0.00' },
      { week: MONDAY, sales: 2, fees: '2.00' },
    ]);
    expect(await countRows()).toBeGreaterThan(1);
    await addUpWeeks(ctx);
    expect(await countRows()).toBe(1);
    expect(await sums()).toEqual(before);

    ctx.clock.set(new Date('2035-08-01T12:00:00Z'));
    await inTransaction(ctx.db, async (trx) => {
      const totals = { ...NO_TOTALS, captured: 1_050, providerFees: 60, refunded: 1_050, feesRefunded: 100 };
      await bookTotals(trx, { payment: held, totals, at: ctx.clock() });
      const end = { status: 'refunded', endedAt: ctx.clock() };
      await trx.updateTable('paymentTransactions').set(end).where('id', '=', held.id).execute();
    });
    expect((await sums()).weeks.at(-1)).toEqual({ week: MONDAY, sales: 1, fees: '1.00' });
  });

  it('keep what commits while they are added up', async () => {
    const { sales } = await sumAllWeeks(ctx.db);
    const trx = await ctx.db.startTransaction().execute();
    await sql`insert into weekly_sums (week, sales) values (${MONDAY}, 3)`.execute(trx);
    await addUpWeeks(ctx);
    await trx.commit().execute();
    expect((await sumAllWeeks(ctx.db)).sales).toBe(sales + 3);
    await sql`insert into weekly_sums (week, sales) values (${MONDAY}, -3)`.execute(ctx.db);
  });

  it('are what the sales and the ledger say', async () => {
    expect((await checkLedger(ctx)).broken.map(({ rule }) => rule)).not.toContain(
      'the sums of each week are what its sales and the ledger say',
    );
  });
});
