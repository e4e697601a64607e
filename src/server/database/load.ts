import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { copyTarget, DUMP_SETTINGS, type DumpHead, enterOwnSchema, OURS } from './dump.ts';
import { listMigrations, migrateTo } from './migrate.ts';
import { nestedDatabase } from './one-transaction.ts';
import { refuseUnsuitable } from './suitability.ts';

/** A database that a dump is loaded into, in one transaction. It stays as it was until `commit`. */
export interface Load {
  /** Whether anybody has registered in it. */
  readonly isInhabited: boolean;
  /** Whether another process of ClipSwap is connected to it. */
  readonly isInUse: boolean;
  /** Drops the tables that exist and creates those of the dump's migrations. */
  prepare(head: DumpHead): Promise<void>;
  /** Writes rows in PostgreSQL's text format. All of one table come in a row. */
  write(table: DumpHead['tables'][number], bytes: Buffer): Promise<void>;
  /** Restores the constraints and keeps everything. @throws Error when a table does not have that many rows */
  commit(head: DumpHead, rows: Readonly<Record<string, number>>): Promise<void>;
  /** The names of files that only the replaced database has, in order, from the one after `after`. */
  listLeftFiles(after: string, limit: number): Promise<string[]>;
  /** Changes nothing unless `commit` came before. */
  close(): Promise<void>;
}

const NOT_OF_AN_EXTENSION = (catalog: string, oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** Extensions stay, because creating them may need rights that we lack. */
const DROP_EVERYTHING = `
  do $$ declare thing text; begin
    for thing in select format('table %s', c.oid::regclass) from pg_class c
      where c.relnamespace = ${OURS} and c.relkind = 'r' and ${NOT_OF_AN_EXTENSION('pg_class', 'c.oid')}
    loop execute 'drop ' || thing || ' cascade'; end loop;
    for thing in select format('function %s', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = ${OURS} and ${NOT_OF_AN_EXTENSION('pg_proc', 'p.oid')}
    loop execute 'drop ' || thing || ' cascade'; end loop;
  end $$;
  drop schema if exists pgboss cascade`;

const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
  from pg_constraint where contype = 'f' and connamespace = ${OURS} order by oid`;

async function isInUse(isTrue: (query: string) => Promise<boolean>, leftWithinMs: number): Promise<boolean> {
  const query = `exists (select from pg_stat_activity where datname = current_database()
    and application_name in ('clipswap', 'clipswap live'))`;
  for (let waited = 0; waited < leftWithinMs; waited += 100) {
    if (!(await isTrue(query))) return false;
    await sleep(100);
  }
  return isTrue(query);
}

/** A session outlives its connection for a moment, as after the program has just been stopped. */
const LEFT_WITHIN_MS = 5_000;

/** For tests. */
export interface LoadOptions {
  /** The folder of the program's migrations. */
  readonly migrations?: string;
  /** How long to wait for other processes to leave. */
  readonly leftWithinMs?: number;
}

/** Opens a connection for loading. */
export async function openLoad(
  url: string,
  { migrations, leftWithinMs = LEFT_WITHIN_MS }: LoadOptions,
): Promise<Load> {
  const client = new pg.Client({ connectionString: url, application_name: 'clipswap restore' });
  // A lost connection also fails the query that waits for it. Without a listener, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  await enterOwnSchema(client).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  let foreignKeys: { drop: string; add: string }[] = [];
  let current: { name: string; stream: CopyStreamQuery; end: Promise<void> } | null = null;
  const loaded = new Map<string, number>();

  const isTrue = async (query: string) => {
    const { rows } = await client.query<{ yes: boolean }>(`select (${query}) as yes`);
    return rows[0]?.yes === true;
  };
  const hasTable = (name: string) =>
    isTrue(`to_regclass(quote_ident(current_schema()) || '.${name}') is not null`);
  /** A query for the names of all stored files. Older schemas lack some tables. */
  const storedFiles = async () =>
    [
      'select null::text as id where false',
      ...((await hasTable('images')) ? ['select id from images'] : []),
      ...((await hasTable('pictures')) ? ['select unnest(files) from pictures'] : []),
    ].join(' union all ');
  const eachTable = async ({ tables }: DumpHead, statement: (table: string) => string) => {
    for (const { name } of tables) await client.query(statement(pg.escapeIdentifier(name)));
  };

  async function endTable(): Promise<void> {
    if (!current) return;
    const { name, stream, end } = current;
    current = null;
    stream.end();
    await end;
    loaded.set(name, stream.rowCount);
  }

  return {
    isInhabited: (await hasTable('users')) && (await isTrue('exists (select from users)')),
    isInUse: await isInUse(isTrue, leftWithinMs),
    async prepare(head) {
      await client.query('begin');
      await refuseUnsuitable(nestedDatabase(client));
      await client.query(DUMP_SETTINGS);
      await client.query('create temporary table files_before (id text primary key)');
      await client.query(`insert into files_before ${await storedFiles()}`);
      await client.query(DROP_EVERYTHING);
      await migrateTo(nestedDatabase(client), head.migrations.at(-1) ?? '', migrations);
      foreignKeys = (await client.query<{ drop: string; add: string }>(FOREIGN_KEYS)).rows;
      for (const { drop } of foreignKeys) await client.query(drop);
      // Triggers judge what people do, and these rows have been judged. Migrations have made some rows already.
      await eachTable(head, (table) => `alter table ${table} disable trigger user`);
      await eachTable(head, (table) => `truncate ${table}`);
    },
    async write(table, bytes) {
      if (current?.name !== table.name) {
        await endTable();
        const stream = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
        const end = finished(stream);
        end.catch(() => {});
        current = { name: table.name, stream, end };
      }
      if (!current.stream.write(bytes)) await Promise.race([once(current.stream, 'drain'), current.end]);
    },
    async commit(head, rows) {
      await endTable();
      for (const { name } of head.tables) {
        const [count, expected] = [loaded.get(name) ?? 0, rows[name] ?? 0];
        if (count !== expected) throw new Error(`${name} has ${count} rows instead of ${expected}`);
      }
      await eachTable(head, (table) => `alter table ${table} enable trigger user`);
      for (const { add } of foreignKeys) await client.query(add);
      for (const { name, value } of head.sequences) {
        const sequence = pg.escapeIdentifier(name);
        if (value === null) await client.query(`alter sequence ${sequence} restart`);
        else await client.query('select setval($1::regclass, $2)', [sequence, value]);
      }
      await client.query('commit');
      await client.query('analyze');
    },
    async listLeftFiles(after, limit) {
      const { rows } = await client.query<{ id: string }>(
        `select id from files_before f where id > $1 and not exists (
           select from (${await storedFiles()}) as stored where stored.id = f.id)
         order by id limit $2`,
        [after, limit],
      );
      return rows.map(({ id }) => id);
    },
    async close() {
      // Otherwise the end would wait for an unfinished COPY.
      if (current) client.connection.stream.destroy();
      else await client.end();
    },
  };
}

/** The names of a dump's migrations that this program lacks, because a newer release made the dump. */
export async function unknownMigrations(head: DumpHead, migrations?: string): Promise<string[]> {
  const known = await listMigrations(migrations);
  return head.migrations.filter((name) => !known.includes(name));
}
