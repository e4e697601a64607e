import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { KeptCard } from '#server/providers/payments.ts';

export type CardRow = Awaited<ReturnType<typeof listCards>>[number];

/** The default first, then the newest. */
export async function listCards(db: Database | Trx, userId: number) {
  return db
    .selectFrom('paymentMethods')
    .select([
      'id',
      'tokenizedDetails',
      'brand',
      'lastFour',
      'expiryMonth',
      'expiryYear',
      'isDefault',
      'createdAt',
    ])
    .where('userId', '=', userId)
    .orderBy('isDefault', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Stores a card's display details and the provider's token. The first card becomes the default. @returns its id */
export async function keepCard(trx: Trx, userId: number, card: KeptCard, at: Date): Promise<number> {
  await lockOwner(trx, userId);
  const known = await trx
    .selectFrom('paymentMethods')
    .select('id')
    .where('tokenizedDetails', '=', card.token)
    .executeTakeFirst();
  if (known) return known.id;
  const { token, ...columns } = card;
  const others = await listCards(trx, userId);
  const row = await trx
    .insertInto('paymentMethods')
    .values({
      ...columns,
      userId,
      tokenizedDetails: token,
      isDefault: others.length === 0,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Serializes changes to a person's cards, so that there is one default. */
export async function lockOwner(trx: Trx, userId: number): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Deletes a card. If it was the default, the newest remaining card becomes the default. */
export async function deleteCard(trx: Trx, userId: number, id: number, at: Date): Promise<void> {
  await trx.deleteFrom('paymentMethods').where('id', '=', id).where('userId', '=', userId).execute();
  const [first] = await listCards(trx, userId);
  if (first && !first.isDefault) await setDefault(trx, userId, first.id, at);
}

export async function setDefault(trx: Trx, userId: number, id: number, at: Date): Promise<void> {
  const own = () => trx.updateTable('paymentMethods').where('userId', '=', userId);
  await own()
    .set({ isDefault: false, updatedAt: at })
    .where('isDefault', '=', true)
    .where('id', '<>', id)
    .execute();
  await own().set({ isDefault: true, updatedAt: at }).where('id', '=', id).execute();
}

export async function findCustomer(
  db: Database,
  userId: number,
  provider: PaymentProviderName,
): Promise<string | null> {
  const row = await db
    .selectFrom('paymentCustomers')
    .select('customerRef')
    .where('userId', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.customerRef ?? null;
}

/** Keeps the existing one on conflict. */
export async function insertCustomer(
  db: Database,
  given: { userId: number; provider: PaymentProviderName; customerRef: string; at: Date },
): Promise<void> {
  const { at, ...columns } = given;
  await db
    .insertInto('paymentCustomers')
    .values({ ...columns, createdAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findEmail(db: Database, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  return row.email;
}

/** Up to `limit` cards of people who have left, or of one of them. */
export async function listCardsOfLeavers(db: Database, limit: number, userId?: number) {
  return db
    .selectFrom('paymentMethods')
    .innerJoin('users', 'users.id', 'paymentMethods.userId')
    .select(['paymentMethods.id', 'paymentMethods.tokenizedDetails', 'paymentMethods.userId'])
    .where('users.deletedAt', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('users.id', '=', userId ?? 0))
    .orderBy('paymentMethods.id')
    .limit(limit)
    .execute();
}

/** The foreign key of payments is set to null. */
export async function deleteCardOfLeaver(db: Database, id: number): Promise<void> {
  await db.deleteFrom('paymentMethods').where('id', '=', id).execute();
}
