import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { keepCurrency } from './currency.ts';

const database = setUpDatabase();

it('refuses to start in another currency than the first time, and says why', async () => {
  await keepCurrency(database.db, 'CAD');
  await expect(keepCurrency(database.db, 'EUR')).rejects.toThrow(
    'The prices and payments in this database are in CAD, and the market is set up for EUR. ' +
      'Set "currency" to CAD in market.json, or start with an empty database.',
  );
});

it('keeps one currency in the database: for the market, for each payment, and for who states none', async () => {
  const { db } = database;
  await expect(sql`update market set currency = 'EUR'`.execute(db)).rejects.toThrow('are in CAD');
  await expect(sql`delete from market`.execute(db)).rejects.toThrow('are in CAD');
  await expect(sql`insert into market values ('EUR')`.execute(db)).rejects.toThrow('market_one_row');
  const ctx = createTestContext(database);
  const { paymentId } = await insertHeldSale(ctx, await createUser(ctx), await createUser(ctx));
  const payment = db.selectFrom('paymentTransactions').where('id', '=', paymentId);
  expect(await payment.select('currency').executeTakeFirst()).toEqual({ currency: 'CAD' });
  await expect(
    db.updateTable('paymentTransactions').set({ currency: 'EUR' }).where('id', '=', paymentId).execute(),
  ).rejects.toThrow('payments_currency_of_market');
});

it('records the currency of the first start, whatever starts at once', async () => {
  const { db } = database;
  await db.transaction().execute(async (trx) => {
    await sql`alter table market disable trigger user`.execute(trx);
    await sql`alter table payment_transactions drop constraint payments_currency_of_market`.execute(trx);
    await sql`delete from market`.execute(trx);
    await keepCurrency(trx as typeof db, 'EUR');
    await keepCurrency(trx as typeof db, 'EUR');
    await expect(keepCurrency(trx as typeof db, 'CAD')).rejects.toThrow('are in EUR');
  });
});
