import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/database/client.ts';
import { IS_DUMPING } from '#server/database/dump.ts';
import type { DB } from '#server/database/types.ts';

/** A picture and its files in the storage. */
export interface Kept {
  readonly id: string;
  readonly files: readonly string[];
}

/** How a kind of pictures is stored. */
export interface KeptFiles {
  /** How many pictures are looked at together. */
  readonly portion: number;
  /** With ids after `after`, in order. */
  listKept(db: Database, after: string, limit: number): Promise<Kept[]>;
  /** Those discarded by `at`; none while a backup may still copy them. */
  listDiscarded(db: Database, given: { at: Date; after: string; limit: number }): Promise<Kept[]>;
  deleteDiscarded(db: Database, ids: readonly string[]): Promise<void>;
}

/** Pictures of a table whose rows have `files`, or one file each, which is named by its id. */
export function picturesIn(table: keyof DB, portion: number, named: 'files' | 'id' = 'files'): KeptFiles {
  const files = named === 'id' ? sql`array[id]` : sql.ref(named);
  const list = async (db: Database, isMeant: RawBuilder<unknown>, after: string, limit: number) => {
    const query = sql<Kept>`select id, ${files} as files from ${sql.table(table)}
      where ${isMeant} and id > ${after} order by id limit ${limit}`;
    return (await query.execute(db)).rows;
  };
  return {
    portion,
    listKept: (db, after, limit) => list(db, sql`discarded_at is null`, after, limit),
    listDiscarded: (db, { at, after, limit }) =>
      list(db, sql`discarded_at <= ${at} and not ${sql.raw(IS_DUMPING)}`, after, limit),
    async deleteDiscarded(db, ids) {
      await sql`delete from ${sql.table(table)} where id = any(${[...ids]}::text[]) and discarded_at is not null`.execute(
        db,
      );
    },
  };
}
