import { type Selectable, sql } from 'kysely';
import { type Database, inTransaction } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

type ColumnOf<Table extends keyof DB> = keyof DB[Table] & string;
export type Row<Table extends keyof DB> = Selectable<DB[Table]>;

/** Where a sealed column lies. */
export interface SealedPlace<Table extends keyof DB> {
  readonly table: Table;
  readonly key: ColumnOf<Table>;
  readonly column: ColumnOf<Table>;
  /** Rows that have this are left as they are: nobody opens them again. */
  readonly unless?: ColumnOf<Table>;
}

export interface SealedRow<Table extends keyof DB> {
  readonly key: string | number;
  readonly sealed: Buffer;
  readonly row: Row<Table>;
}

/** The rows with something sealed whose keys come after one, in order of their keys. */
export async function listSealed<Table extends keyof DB>(
  db: Database,
  { table, key, column, unless }: SealedPlace<Table>,
  after: SealedRow<Table>['key'] | null,
  limit: number,
): Promise<SealedRow<Table>[]> {
  const isAfter = after === null ? sql`true` : sql`${sql.ref(key)} > ${after}`;
  const isOpened = unless ? sql`${sql.ref(unless)} is null` : sql`true`;
  const { rows } = await sql<Row<Table> & Record<string, unknown>>`
    select * from ${sql.table(table)} where ${sql.ref(column)} is not null and ${isAfter} and ${isOpened}
    order by ${sql.ref(key)} limit ${limit}`.execute(db);
  return rows.map((row) => ({
    key: row[key] as string | number,
    sealed: row[column] as Buffer,
    row,
  }));
}

/** Replaces what is still as it was: a sealed value is never made twice. @returns the keys of the rows that were replaced */
export async function replaceSealed<Table extends keyof DB>(
  db: Database,
  { table, key, column, unless }: SealedPlace<Table>,
  renewed: readonly (Pick<SealedRow<Table>, 'key' | 'sealed'> & { readonly now: Buffer })[],
): Promise<Set<SealedRow<Table>['key']>> {
  if (renewed.length === 0) return new Set();
  const isOpened = unless ? sql`${sql.ref(`old.${unless}`)} is null` : sql`true`;
  return inTransaction(db, async (trx) => {
    // They are the same codes: their chains of exposures go on.
    await sql`select set_config('clipswap.code_change', 'resealed', true)`.execute(trx);
    const { rows } = await sql<{ key: SealedRow<Table>['key'] }>`
      update ${sql.table(table)} as old set ${sql.ref(column)} = renewed.now
      from unnest(${renewed.map(({ sealed }) => sealed)}::bytea[], ${renewed.map(({ now }) => now)}::bytea[])
        as renewed (before, now)
      where ${sql.ref(`old.${key}`)} = any(${renewed.map((row) => row.key)}) and ${sql.ref(`old.${column}`)} = renewed.before
        and ${isOpened}
      returning ${sql.ref(`old.${key}`)} as key`.execute(trx);
    return new Set(rows.map((row) => row.key));
  });
}
