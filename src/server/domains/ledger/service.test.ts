import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#server/testing/builders.ts';
import { writePayment } from '#server/testing/ledger.ts';
import { book, feesEarned } from './service.ts';

const ctx = setUpContext();

describe('booking', () => {
  it('books a repeated event once', async () => {
    const payment = await writePayment(ctx, 'open');
    const given = { kind: 'capture', payment, sourceRef: 'told-twice', at: ctx.clock() } as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => inTransaction(ctx.db, (trx) => book(trx, given))),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const { rows } = await sql`
      select count(distinct j.id) as journals, count(e.id) as entries from ledger_journals j
      join ledger_entries e on e.journal_id = j.id where j.payment_id = ${payment.id}`.execute(ctx.db);
    expect(rows).toEqual([{ journals: 1, entries: 3 }]);
  });

  it('books no journal without amounts', async () => {
    const payment = { ...(await writePayment(ctx, 'open')), providerFee: null };
    const given = { kind: 'provider_fee', payment, sourceRef: 'no-fee', at: ctx.clock() } as const;
    expect(await inTransaction(ctx.db, (trx) => book(trx, given))).toBe(false);
  });

  it('opens each account once, even if many transactions need it at once', async () => {
    const payment = await writePayment(ctx, 'open', 'paypal');
    const given = { payment, at: ctx.clock() };
    const bookMany = Array.from({ length: 8 }, (_, index) =>
      inTransaction(ctx.db, async (trx) => {
        await book(trx, { ...given, kind: 'dispute_opened', sourceRef: `many-${index}` });
        await book(trx, { ...given, kind: 'dispute_won', sourceRef: `many-${index}` });
      }),
    );
    await Promise.all(bookMany);
    const { rows } = await sql`
      select kind, provider, user_id, count(*) from ledger_accounts group by kind, provider, user_id
      having count(*) > 1`.execute(ctx.db);
    expect(rows).toEqual([]);
  });

  it('sums up the fees that were earned and not refunded', async () => {
    const before = Number(await feesEarned(ctx));
    await writePayment(ctx, 'completed');
    await writePayment(ctx, 'held', 'paypal');
    await writePayment(ctx, 'refunded');
    await writePayment(ctx, 'charged_back', 'paypal');
    expect(Number(await feesEarned(ctx)) - before).toBe(2);
  });
});

describe('what the database itself refuses', () => {
  const journalOf = (paymentId: number, sourceRef: string) => sql<{ id: number }>`
    insert into ledger_journals (kind, payment_id, source_ref, created_at)
    values ('capture', ${paymentId}, ${sourceRef}, now()) returning id`;

  it('a journal that does not balance, at the end of its transaction', async () => {
    const payment = await writePayment(ctx, 'held');
    const write = inTransaction(ctx.db, async (trx) => {
      const { rows } = await journalOf(payment.id, 'unbalanced').execute(trx);
      await sql`
        insert into ledger_entries (journal_id, account_id, amount)
        select ${rows[0]?.id}, id, 1 from ledger_accounts limit 2`.execute(trx);
    });
    await expect(write).rejects.toThrow(/does not balance/);
  });

  it('a journal without entries', async () => {
    const payment = await writePayment(ctx, 'held');
    await expect(journalOf(payment.id, 'empty').execute(ctx.db)).rejects.toThrow(/does not balance/);
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
