import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** What a person's own browser may see; the password hash is not among it. */
const PERSON_COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'status',
  'preferredCurrency',
  'country',
  'bio',
  'totalRating',
  'ratingCount',
  'verifiedCoupons',
  'successfulExchanges',
  'acceptedBids',
  'isFeatured',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
] as const;

export type PersonRow = Pick<Selectable<DB['users']>, (typeof PERSON_COLUMNS)[number]>;

/** Fails with a unique violation of users_username_key or users_email_key: the indexes are the judges. */
export async function insertPerson(trx: Trx, values: Insertable<DB['users']>): Promise<PersonRow> {
  return trx.insertInto('users').values(values).returning(PERSON_COLUMNS).executeTakeFirstOrThrow();
}

export async function findPerson(db: Database | Trx, id: number): Promise<PersonRow | undefined> {
  return db.selectFrom('users').select(PERSON_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** By user name or e-mail address, whatever the case. A user name has no @, so that no text means two people. */
export async function findCredentials(
  db: Database | Trx,
  name: string,
): Promise<{ id: number; passwordHash: string; status: string } | undefined> {
  // PostgreSQL refuses U+0000 in a text; nobody's name has one.
  if (name.includes('\u0000')) return undefined;
  const column = sql.ref(name.includes('@') ? 'email' : 'username');
  return db
    .selectFrom('users')
    .select(['id', 'passwordHash', 'status'])
    .where(sql`lower(${column})`, '=', name.toLowerCase())
    .executeTakeFirst();
}

export async function setLastLogin(trx: Trx, id: number, at: Date): Promise<PersonRow> {
  return trx
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('id', '=', id)
    .returning(PERSON_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Demo people in good standing, those with the most exchanges first. */
export async function listDemoPeople(
  db: Database,
  limit: number,
): Promise<{ username: string; bio: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['username', 'bio'])
    .where('isDemo', '=', true)
    .where('status', '=', 'active')
    .orderBy('successfulExchanges', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function findPersonByUsername(db: Database, username: string): Promise<PersonRow | undefined> {
  return db
    .selectFrom('users')
    .select(PERSON_COLUMNS)
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst();
}

export async function setRoleOf(
  trx: Trx,
  username: string,
  role: string,
  at: Date,
): Promise<PersonRow | undefined> {
  return trx
    .updateTable('users')
    .set({ role, updatedAt: at })
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .returning(PERSON_COLUMNS)
    .executeTakeFirst();
}

export async function setDemo(db: Database, ids: readonly number[]): Promise<void> {
  await db.updateTable('users').set({ isDemo: true }).where('id', 'in', ids).execute();
}
