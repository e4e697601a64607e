import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** What a person's own browser may see; the password hash is not among it. */
const PERSON_COLUMNS = [
  'id',
  'username',
  'email',
  'emailVerifiedAt',
  'pendingEmail',
  'role',
  'status',
  'statusReason',
  'statusUntil',
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

export async function deletePreferencesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('notificationPreferences').where('userId', '=', userId).execute();
}

type Credentials = Pick<Selectable<DB['users']>, 'id' | 'passwordHash' | 'status' | 'statusReason'>;

/** By user name or e-mail address, whatever the case. A user name has no @, so that no text means two people. */
export async function findCredentials(db: Database | Trx, name: string): Promise<Credentials | undefined> {
  // PostgreSQL refuses U+0000 in a text; nobody's name has one.
  if (name.includes('\u0000')) return undefined;
  const column = sql.ref(name.includes('@') ? 'email' : 'username');
  return db
    .selectFrom('users')
    .select(['id', 'passwordHash', 'status', 'statusReason'])
    .where(sql`lower(${column})`, '=', name.toLowerCase())
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

export async function findPasswordHash(db: Database | Trx, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirst();
  return row?.passwordHash;
}

export interface StatusRow {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  readonly status: string;
  readonly deletedAt: Date | null;
}

export async function findStatus(db: Database | Trx, id: number): Promise<StatusRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status', 'deletedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether there is such a person, not deleted. */
export async function setStatus(
  trx: Trx,
  id: number,
  change: { status: string; statusReason: string | null; statusUntil: Date | null; updatedAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Overwrites what tells who a person is; the row stays, since deals and payments point at it. */
export async function overwritePerson(
  trx: Trx,
  id: number,
  values: Updateable<DB['users']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set(values)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undefined when the password has been changed since it was checked: this sign-in comes too late. */
export async function setLastLogin(
  trx: Trx,
  { id, passwordHash }: { id: number; passwordHash: string },
  at: Date,
): Promise<PersonRow | undefined> {
  return trx
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .returning(PERSON_COLUMNS)
    .executeTakeFirst();
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

/** Nobody reads the mail of demo people: their addresses count as confirmed. */
export async function setDemo(db: Database, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('users')
    .set({ isDemo: true, emailVerifiedAt: sql<Date>`coalesce(email_verified_at, created_at)` })
    .where('id', 'in', ids)
    .execute();
}

const OWNER_COLUMNS = ['id', 'username', 'email', 'emailVerifiedAt', 'pendingEmail', 'passwordHash'] as const;

/** What a link, a new address or a new password is judged by. */
export type OwnerRow = Pick<Selectable<DB['users']>, (typeof OWNER_COLUMNS)[number]>;

/** People who may still do something with an account: neither banned nor deleted. */
function owners(db: Database | Trx) {
  return db
    .selectFrom('users')
    .select(OWNER_COLUMNS)
    .where('status', '<>', 'banned')
    .where('deletedAt', 'is', null);
}

export async function findOwner(db: Database | Trx, id: number): Promise<OwnerRow | undefined> {
  return owners(db).where('id', '=', id).executeTakeFirst();
}

/** Locks the row; taken before the tokens of the person are touched. */
export async function lockOwner(trx: Trx, id: number): Promise<OwnerRow | undefined> {
  return owners(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** `lockOwner` by the e-mail address, whatever the case. */
export async function lockOwnerByEmail(trx: Trx, email: string): Promise<OwnerRow | undefined> {
  return owners(trx).where(sql`lower(email)`, '=', email.toLowerCase()).forNoKeyUpdate().executeTakeFirst();
}

/** Whether somebody else has this e-mail address, whatever the case. */
export async function isEmailOfAnother(db: Database | Trx, email: string, id: number): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('id', '<>', id)
    .executeTakeFirst();
  return other !== undefined;
}

/** Changes a person's own columns. Fails with a unique violation of users_email_key. */
export async function updatePerson(trx: Trx, id: number, values: Updateable<DB['users']>): Promise<void> {
  await trx.updateTable('users').set(values).where('id', '=', id).execute();
}

export type TokenPurpose = 'verify_email' | 'reset_password';

interface NewToken {
  readonly userId: number;
  readonly purpose: TokenPurpose;
  readonly tokenHash: string;
  /** The address that it is sent to, and proves. */
  readonly email: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Stores a token; those of the same purpose that the person has not used are spent by it. */
export async function replaceToken(trx: Trx, token: NewToken): Promise<void> {
  await spendTokens(trx, token.userId, token.purpose, token.createdAt);
  await trx.insertInto('accountTokens').values(token).execute();
}

/** Makes unused tokens of a person useless. */
export async function spendTokens(trx: Trx, userId: number, purpose: TokenPurpose, at: Date): Promise<void> {
  await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute();
}

/** Whose token this is and which address it was sent to, while it can be used. */
export async function findToken(
  db: Database | Trx,
  purpose: TokenPurpose,
  tokenHash: string,
  at: Date,
): Promise<{ userId: number; email: string } | undefined> {
  return db
    .selectFrom('accountTokens')
    .select(['userId', 'email'])
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
}

/** Uses a token; of several who try at once, for one it is true. */
export async function takeToken(
  trx: Trx,
  purpose: TokenPurpose,
  tokenHash: string,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accountTokens')
    .set({ usedAt: at })
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTokensOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('accountTokens').where('userId', '=', userId).execute();
}

/** Removes tokens that have been past use since before `at`. */
export async function deletePastTokens(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('accountTokens').where('expiresAt', '<', at).execute();
}
