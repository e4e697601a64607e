import { type Selectable, sql, type Updateable } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

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
