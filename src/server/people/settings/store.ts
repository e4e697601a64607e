import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** A change that an admin makes. */
interface NewChange {
  readonly name: string;
  /** Null: back to what holds without a change. */
  readonly value: unknown;
  readonly follows: number | null;
  readonly undoes: number | null;
  readonly changedBy: number | null;
  readonly changedAt: Date;
}

const COLUMNS = [
  'settingChanges.id',
  'settingChanges.name',
  'settingChanges.value',
  'settingChanges.undoes',
  'settingChanges.follows',
  'settingChanges.changedAt',
  'users.username as changedBy',
] as const;

const changes = (db: Database | Trx) =>
  db.selectFrom('settingChanges').leftJoin('users', 'users.id', 'settingChanges.changedBy').select(COLUMNS);

export type ChangeRow = Awaited<ReturnType<typeof listLatest>>[number];

/** The newest change of each name. */
export async function listLatest(db: Database | Trx) {
  return changes(db)
    .distinctOn('settingChanges.name')
    .orderBy('settingChanges.name')
    .orderBy('settingChanges.id', 'desc')
    .execute();
}

/** The newest changes of one name, the latest first. */
export async function listChanges(db: Database | Trx, name: string, limit: number) {
  return changes(db)
    .where('settingChanges.name', '=', name)
    .orderBy('settingChanges.id', 'desc')
    .limit(limit)
    .execute();
}

export async function findChange(db: Database | Trx, id: number) {
  return changes(db).where('settingChanges.id', '=', id).executeTakeFirst();
}

export async function insertChange(trx: Trx, { value, ...columns }: NewChange): Promise<void> {
  await trx
    .insertInto('settingChanges')
    .values({ ...columns, value: value === null ? null : sql`${JSON.stringify(value)}::jsonb` })
    .execute();
}
