import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { bookTotals, readTotals } from './ledger.ts';
import { NO_TOTALS } from './rules.ts';

const ctx = setUpContext(setUpDatabase({ connections: MANY_CONNECTIONS }));

describe('booking', () => {
  const captured = { ...NO_TOTALS, captured: 1_050, providerFees: 60 };

  it('books the same totals once, also from many transactions', async () => {
    const payment = await writePayment(ctx, 'open');
    const report = () =>
      inTransaction(ctx.db, async (trx) => {
        await sql`select from payment_transactions where id = ${payment.id} for no key update`.execute(trx);
        await bookTotals(trx, { payment, totals: captured, at: ctx.clock() });
      });
    await Promise.all(Array.from({ length: 10 }, report));
    expect(await readTotals(ctx.db, payment.id)).toEqual(captured);
    const { rows } = await sql`
      select kind, amount, sequence from ledger_journals where payment_id = ${payment.id} order by id`.execute(
      ctx.db,
    );
    expect(rows).toEqual([
      { kind: 'capture', amount: '10.50', sequence: 1 },
      { kind: 'provider_fee', amount: '0.60', sequence: 1 },
    ]);
  });

  it('books what a total falls by, too, each refund with its part of the fees', async () => {
    const payment = await writePayment(ctx, 'held');
    for (const [refunded, feesRefunded] of [
      [300, 29],
      [1_050, 100],
      [0, 0],
    ] as const) {
      const totals = { ...captured, refunded, feesRefunded };
      await inTransaction(ctx.db, (trx) => bookTotals(trx, { payment, totals, at: ctx.clock() }));
    }
    expect(await readTotals(ctx.db, payment.id)).toEqual(captured);
    const { rows } = await sql`
      select amount, fee_amount, sequence from ledger_journals where payment_id = ${payment.id} and kind = 'refund'
      order by id`.execute(ctx.db);
    expect(rows).toEqual([
      { amount: '3.00', feeAmount: '0.29', sequence: 1 },
      { amount: '7.50', feeAmount: '0.71', sequence: 2 },
      { amount: '-10.50', feeAmount: '-1.00', sequence: 3 },
    ]);
  });

  it('opens each account once, even if many transactions need it at once', async () => {
    const payments = await Promise.all(Array.from({ length: 4 }, () => writePayment(ctx, 'open', 'paypal')));
    const totals = { ...captured, withdrawn: 1_050 };
    await Promise.all(
      payments.map((payment) =>
        inTransaction(ctx.db, (trx) => bookTotals(trx, { payment, totals, at: ctx.clock() })),
      ),
    );
    const { rows } = await sql`
      select kind, provider, user_id, count(*) from ledger_accounts group by kind, provider, user_id
      having count(*) > 1`.execute(ctx.db);
    expect(rows).toEqual([]);
  });
});

describe('what the database itself refuses', () => {
  const journalOf = (paymentId: number, sequence: number) => sql<{ id: number }>`
    insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
    values ('capture', ${paymentId}, 1, ${sequence}, now()) returning id`;

  it('a journal that does not balance, at the end of its transaction', async () => {
    const payment = await writePayment(ctx, 'held');
    const write = inTransaction(ctx.db, async (trx) => {
      const { rows } = await journalOf(payment.id, 2).execute(trx);
      await sql`
        insert into ledger_entries (journal_id, account_id, amount)
        select ${rows[0]?.id}, id, 1 from ledger_accounts limit 2`.execute(trx);
    });
    await expect(write).rejects.toThrow(/does not balance/);
  });

  it('a journal without entries', async () => {
    const payment = await writePayment(ctx, 'held');
    await expect(journalOf(payment.id, 2).execute(ctx.db)).rejects.toThrow(/does not balance/);
  });

  it('a later entry that unbalances its journal', async () => {
    await writePayment(ctx, 'held');
    const write = sql`
      insert into ledger_entries (journal_id, account_id, amount)
      select j.id, a.id, 0.01 from ledger_journals j, ledger_accounts a limit 1`.execute(ctx.db);
    await expect(write).rejects.toThrow(/does not balance/);
  });

  it.each([
    ['ledger_accounts', 'kind'],
    ['ledger_journals', 'kind'],
    ['ledger_entries', 'amount'],
  ])('to change, delete or empty %s', async (table, column) => {
    await writePayment(ctx, 'held');
    const name = sql.table(table);
    for (const statement of [
      sql`update ${name} set ${sql.ref(column)} = ${sql.ref(column)}`,
      sql`delete from ${name}`,
      sql`delete from ${name} where false`,
      sql`truncate ${name} cascade`,
    ]) {
      await expect(statement.execute(ctx.db)).rejects.toThrow(/append-only/);
    }
  });
});
