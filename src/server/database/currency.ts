import type { Database } from './client.ts';

/**
 * Records at the first start in which currency a market's amounts are; it stays so.
 * @throws Error where the amounts of this database are in another one
 */
export async function keepCurrency(db: Database, currency: string): Promise<void> {
  const begun = (await findCurrency(db)) ?? (await storeCurrency(db, currency));
  if (begun === currency) return;
  throw new Error(
    `The prices and payments in this database are in ${begun}, and the market is set up for ${currency}. ` +
      `Set "currency" to ${begun} in market.json, or start with an empty database.`,
  );
}

async function findCurrency(db: Database): Promise<string | undefined> {
  return (await db.selectFrom('market').select('currency').executeTakeFirst())?.currency;
}

async function storeCurrency(db: Database, currency: string): Promise<string> {
  await db
    .insertInto('market')
    .values({ currency })
    .onConflict((row) => row.doNothing())
    .execute();
  // Another process may have stored one first.
  return (await findCurrency(db)) ?? currency;
}
