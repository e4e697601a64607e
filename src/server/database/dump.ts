import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from './client.ts';
import { listApplied } from './migrate.ts';
import { nestedDatabase } from './one-transaction.ts';
import { FORMATS } from './sessions.ts';

/** Describes a dump. It is read before the rows are loaded. */
export interface DumpHead {
  readonly postgres: string;
  /** The migrations of the dumped database, by name and in order. */
  readonly migrations: readonly string[];
  /** Columns without the generated ones. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** `value` is null for a sequence that was never used. */
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[];
}

/** Reads a database as it was at one moment, while others go on writing to it. */
export interface Dump {
  readonly head: DumpHead;
  /** For further reading at the same moment, one query at a time. */
  readonly db: Database;
  /** The rows of a table in PostgreSQL's text format; `rowCount` is known at its end. */
  rowsOf(table: DumpHead['tables'][number]): Readable & { readonly rowCount: number };
  /** How many rows the database itself counts in a table. */
  count(name: string): Promise<number>;
  close(): Promise<void>;
}

/**
 * Makes names without a schema mean the schema in which the program has its tables, or would create them. The
 * `search_path` of the role, of the database or of the address decides which one that is.
 */
export async function enterOwnSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string | null }>(
    `select coalesce(
       (select relnamespace::regnamespace::text from pg_class where oid = to_regclass('kysely_migration')),
       quote_ident(current_schema())) as schema`,
  );
  const schema = rows[0]?.schema;
  if (!schema)
    throw new Error(
      'The search_path of this role names no schema that exists: ClipSwap has no place for its tables',
    );
  await client.query(
    `select set_config('search_path', $1 || ', ' || current_setting('search_path'), false)`,
    [schema],
  );
}

/** SQL: the schema of the program's tables, after `enterOwnSchema`. */
export const OURS = 'quote_ident(current_schema())::regnamespace';

/** Kysely's lock is a row for the migrator alone, and every database has its own. */
const TABLES = `
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = ${OURS} and c.relkind = 'r' and c.relname <> 'kysely_migration_lock'
  group by c.relname order by c.relname`;

const SEQUENCES = `
  select sequencename::text as name, last_value::text as value from pg_sequences
  where schemaname = current_schema() order by 1`;

/** Names a table with its columns, as COPY expects it. */
export function copyTarget({ name, columns }: DumpHead['tables'][number]): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}

/** Removes the time limits of a session, and sets the formats in which it writes and reads dates. */
export const DUMP_SETTINGS = Object.entries({
  statement_timeout: 0,
  lock_timeout: 0,
  // Without this, rows that the role may not see would be missing without an error.
  row_security: 'off',
  idle_in_transaction_session_timeout: 0,
  ...FORMATS,
})
  .map(([name, value]) => `set local ${name} = '${value}'`)
  .join('; ');

/** Opens a snapshot of a database. Until it is closed, `isDumping` is true there. */
export async function openDump(url: string): Promise<Dump> {
  const client = new pg.Client({ connectionString: url, application_name: 'clipswap backup' });
  // A lost connection also fails the query that waits for it. Without a listener, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await enterOwnSchema(client);
    await client.query('select pg_advisory_lock_shared($1)', [DUMPING]);
    await client.query('begin isolation level repeatable read read only');
    await client.query(DUMP_SETTINGS);
    const db = nestedDatabase(client);
    const { rows: tables } = await client.query<DumpHead['tables'][number]>(TABLES);
    const { rows: sequences } = await client.query<DumpHead['sequences'][number]>(SEQUENCES);
    const { rows: versions } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    const postgres = versions[0]?.version ?? '';
    const migrations = await listApplied(db);
    if (migrations.length === 0)
      throw new Error('There is no marketplace in this database, or its search_path leads past it');
    return {
      head: { postgres, migrations, tables, sequences },
      db,
      rowsOf: (table) => client.query(copyTo(`copy ${copyTarget(table)} to stdout`)),
      async count(name) {
        const counted = await client.query<{ count: string }>(
          `select count(*) as count from ${pg.escapeIdentifier(name)}`,
        );
        return Number(counted.rows[0]?.count);
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** The key of the advisory lock that a dump holds. */
const DUMPING = 1_129_075_554;

/** SQL: whether a dump of this database is under way. Files have to stay until it has copied them. */
export const IS_DUMPING = `exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${DUMPING}
  and database = (select oid from pg_database where datname = current_database()))`;
