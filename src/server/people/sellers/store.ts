import { type Selectable, sql } from 'kysely';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import type { FailedPayout, SellerAccount } from '#server/providers/payments.ts';

export type AccountRow = Omit<Selectable<DB['sellerAccounts']>, 'provider' | 'failedPayout'> & {
  readonly provider: PaymentProviderName;
  readonly failedPayout: FailedPayout | null;
};

interface Key {
  readonly userId: number;
  readonly provider: PaymentProviderName;
}

function select(db: Database | Trx) {
  return db
    .selectFrom('sellerAccounts')
    .selectAll()
    .$narrowType<{ provider: PaymentProviderName; failedPayout: FailedPayout | null }>();
}

export async function listAccounts(db: Database | Trx, userId: number): Promise<AccountRow[]> {
  return select(db).where('userId', '=', userId).orderBy('provider').execute();
}

export async function findAccount(
  db: Database | Trx,
  { userId, provider }: Key,
): Promise<AccountRow | undefined> {
  return select(db).where('userId', '=', userId).where('provider', '=', provider).executeTakeFirst();
}

export async function findAccountByRef(
  db: Database | Trx,
  provider: PaymentProviderName,
  accountRef: string,
): Promise<AccountRow | undefined> {
  return select(db).where('provider', '=', provider).where('accountRef', '=', accountRef).executeTakeFirst();
}

export async function lockAccount(trx: Trx, { userId, provider }: Key): Promise<AccountRow | undefined> {
  return select(trx)
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Creates the row if there is none. */
export async function ensureAccount(trx: Trx, key: Key, at: Date): Promise<AccountRow> {
  await trx
    .insertInto('sellerAccounts')
    .values({ ...key, createdAt: at, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['userId', 'provider']).doNothing())
    .execute();
  return select(trx)
    .where('userId', '=', key.userId)
    .where('provider', '=', key.provider)
    .executeTakeFirstOrThrow();
}

/**
 * Stores the provider's account id; one that is stored already stays.
 * @returns the id stored now
 * @throws a unique violation of seller_accounts_ref
 */
export async function storeAccountRef(trx: Trx, key: Key, accountRef: string, at: Date): Promise<string> {
  const row = await trx
    .insertInto('sellerAccounts')
    .values({ ...key, accountRef, createdAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'provider']).doUpdateSet((update) => ({
        accountRef: update.fn.coalesce('sellerAccounts.accountRef', 'excluded.accountRef'),
        updatedAt: later(at),
      })),
    )
    .returning('accountRef')
    .executeTakeFirstOrThrow();
  return row.accountRef ?? accountRef;
}

/** `updatedAt` is also the row's version, so it grows with every write. */
function later(at: Date) {
  return sql<Date>`greatest(${at}::timestamptz, seller_accounts.updated_at + interval '1 millisecond')`;
}

/** @throws a unique violation of seller_accounts_ref when the account is somebody else's */
export async function storeState(trx: Trx, key: Key, state: SellerAccount, at: Date): Promise<void> {
  await trx
    .updateTable('sellerAccounts')
    .set({
      ...state,
      requirements: JSON.stringify(state.requirements),
      failedPayout: state.failedPayout && JSON.stringify(state.failedPayout),
      updatedAt: later(at),
    })
    .where('userId', '=', key.userId)
    .where('provider', '=', key.provider)
    .returning('userId')
    .executeTakeFirstOrThrow();
}

export async function deleteAccount(trx: Trx, { userId, provider }: Key): Promise<void> {
  await trx
    .deleteFrom('sellerAccounts')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .execute();
}

/** Deletes a failed set-up, unless it has been restarted or finished meanwhile. */
export async function deleteStarted(db: Database, { userId, provider }: Key, begunAt: Date): Promise<void> {
  await db
    .deleteFrom('sellerAccounts')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .where('createdAt', '=', begunAt)
    .where('accountRef', 'is', null)
    .execute();
}
