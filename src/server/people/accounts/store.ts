import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** The columns that a person's own browser may see; the password hash is not among them. */
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
  'language',
  'bio',
  'pictureId',
  'totalRating',
  'ratingCount',
  'verifiedCoupons',
  'successfulExchanges',
  'acceptedBids',
  'reportCount',
  'isFeatured',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
] as const;

export type PersonRow = Pick<Selectable<DB['users']>, (typeof PERSON_COLUMNS)[number]>;

/** Fails with a unique violation of users_username_key or users_skeleton_key if the name or one like it is taken. */
export async function insertPerson(trx: Trx, values: Insertable<DB['users']>): Promise<PersonRow> {
  return trx.insertInto('users').values(values).returning(PERSON_COLUMNS).executeTakeFirstOrThrow();
}

export async function findPerson(db: Database | Trx, id: number): Promise<PersonRow | undefined> {
  return db.selectFrom('users').select(PERSON_COLUMNS).where('id', '=', id).executeTakeFirst();
}

export async function deletePreferencesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('notificationPreferences').where('userId', '=', userId).execute();
  await trx.deleteFrom('quietHours').where('userId', '=', userId).execute();
}

export type Credentials = Pick<
  Selectable<DB['users']>,
  'id' | 'username' | 'passwordHash' | 'status' | 'statusReason'
>;

/** What a sign-in needs of people who are not deleted. */
export function credentialsOf(db: Database | Trx) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'passwordHash', 'status', 'statusReason'])
    .where('deletedAt', 'is', null);
}

/** The row of whoever has confirmed an e-mail address, ignoring case: there is at most one. */
function isAddressOf(email: string) {
  return sql<boolean>`lower(email collate "C") = ${email.toLowerCase()} and email_verified_at is not null`;
}

/** Finds by username or confirmed e-mail address, ignoring case. Usernames contain no @: no name is ambiguous. */
export async function findCredentials(db: Database | Trx, name: string): Promise<Credentials | undefined> {
  // PostgreSQL refuses U+0000 in a text; no name contains it.
  if (name.includes('\u0000')) return undefined;
  const isNamed = name.includes('@')
    ? isAddressOf(name)
    : sql<boolean>`lower(username collate "C") = ${name.toLowerCase()}`;
  return credentialsOf(db).where(isNamed).executeTakeFirst();
}

export function findCredentialsOf(db: Database | Trx, id: number): Promise<Credentials | undefined> {
  return credentialsOf(db).where('id', '=', id).executeTakeFirst();
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

/** The language in which we write to a person; undefined if there is no such person. */
export async function findLanguage(db: Database, id: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('language').where('id', '=', id).executeTakeFirst();
  return row?.language;
}

/** @returns false if there is no such person or they are deleted */
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

/**
 * Overwrites the personal data; the row stays, since deals and payments refer to it.
 * @returns false if there is no such person or they are deleted already
 */
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

/**
 * Also stores the hash that is to be kept from now on.
 * @returns undefined if the password has changed since it was checked, so that this sign-in must fail
 */
export async function setLastLogin(
  trx: Trx,
  { id, passwordHash }: { id: number; passwordHash: string },
  kept: { passwordHash: string; lastLoginAt: Date },
): Promise<PersonRow | undefined> {
  return trx
    .updateTable('users')
    .set(kept)
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .returning(PERSON_COLUMNS)
    .executeTakeFirst();
}

/** Active demo people, those with the most exchanges first. */
export async function listDemoPeople(
  db: Database,
  limit: number,
): Promise<{ username: string; bio: string | null; pictureId: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['username', 'bio', 'pictureId'])
    .where('isDemo', '=', true)
    .where('status', '=', 'active')
    .orderBy('successfulExchanges', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Whether anybody of the demo has an account. */
export async function hasDemoPeople(db: Database): Promise<boolean> {
  const found = db.selectFrom('users').select('id').where('isDemo', '=', true).where('deletedAt', 'is', null);
  return (await found.limit(1).executeTakeFirst()) !== undefined;
}

export async function findPersonByUsername(db: Database, username: string): Promise<PersonRow | undefined> {
  return db
    .selectFrom('users')
    .select(PERSON_COLUMNS)
    .where(sql`lower(username collate "C")`, '=', username.toLowerCase())
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
    .where(sql`lower(username collate "C")`, '=', username.toLowerCase())
    .returning(PERSON_COLUMNS)
    .executeTakeFirst();
}

/** Also confirms the address, since nobody reads the mail of demo people, and gives them a good record. */
export async function setDemo(db: Database, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set({
      isDemo: true,
      emailVerifiedAt: sql<Date>`coalesce(email_verified_at, created_at)`,
      establishedAt: sql.ref('created_at'),
    })
    .where('id', '=', id)
    .execute();
}

const OWNER_COLUMNS = [
  'id',
  'username',
  'email',
  'emailVerifiedAt',
  'pendingEmail',
  'passwordHash',
  'pictureId',
] as const;

/** The columns needed to check a link, a new address, a new password or a new picture. */
export type OwnerRow = Pick<Selectable<DB['users']>, (typeof OWNER_COLUMNS)[number]>;

/** People who are neither banned nor deleted. */
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

/** Locks the row. Take this lock before touching the person's tokens. */
export async function lockOwner(trx: Trx, id: number): Promise<OwnerRow | undefined> {
  return owners(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Like `lockOwner`, for whoever has confirmed an e-mail address. */
export async function lockAddressOwner(trx: Trx, email: string): Promise<OwnerRow | undefined> {
  return owners(trx).where(isAddressOf(email)).forNoKeyUpdate().executeTakeFirst();
}

/** Whoever has confirmed an e-mail address, banned people included. */
export async function findAddressOwner(
  db: Database | Trx,
  email: string,
): Promise<{ username: string } | undefined> {
  return db.selectFrom('users').select('username').where(isAddressOf(email)).executeTakeFirst();
}

/** Fails with a unique violation of users_email_key if somebody else has confirmed the address. */
export async function updatePerson(
  db: Database | Trx,
  id: number,
  values: Updateable<DB['users']>,
): Promise<void> {
  await db.updateTable('users').set(values).where('id', '=', id).execute();
}

export async function clearPicture(
  trx: Trx,
  pictureId: string,
  at: Date,
): Promise<{ id: number } | undefined> {
  return trx
    .updateTable('users')
    .set({ pictureId: null, updatedAt: at })
    .where('pictureId', '=', pictureId)
    .returning('id')
    .executeTakeFirst();
}

export interface ReservedName {
  readonly kind: 'username' | 'email';
  /** Keyed hash of the name in lower case, or of what a username looks like. */
  readonly fingerprint: string;
  readonly userId: number;
}

/** Reserves a name for a person; may be repeated. @returns false if it is another person's */
export async function reserveName(trx: Trx, name: ReservedName): Promise<boolean> {
  const row = await trx
    .insertInto('reservedNames')
    .values(name)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'fingerprint'])
        .doUpdateSet({ userId: name.userId })
        .where('reservedNames.userId', '=', name.userId),
    )
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function isNameReserved(
  db: Database | Trx,
  kind: ReservedName['kind'],
  fingerprint: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('reservedNames')
    .select('userId')
    .where('kind', '=', kind)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return row !== undefined;
}

/** `for key share` waits only for a ban in progress; foreign keys take the same lock. */
export async function lockStatus(trx: Trx, userId: number) {
  return trx
    .selectFrom('users')
    .select(['status', 'deletedAt'])
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
}
