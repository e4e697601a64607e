import { type Kysely, sql } from 'kysely';

/** The extensions that the migrations install. */
const EXTENSION = 'pg_trgm';

interface Found {
  readonly encoding: string;
  /** These three names are quoted. */
  readonly database: string;
  readonly role: string;
  /** The schema of new tables; null where the search_path names no schema that exists. */
  readonly schema: string | null;
  readonly mayMakeTables: boolean | null;
  readonly mayMakeSchemas: boolean;
  /** Whether the queue of jobs has its schema already. */
  readonly hasQueue: boolean;
  readonly hasExtension: boolean;
  readonly isExtensionInPath: boolean;
  readonly isExtensionAvailable: boolean;
  /** Whether roles other than superusers may install it. */
  readonly isExtensionTrusted: boolean;
}

const FOUND = sql<Found>`
  select current_setting('server_encoding') as encoding, quote_ident(current_database()) as database,
    quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
    has_schema_privilege(current_schema(), 'create') as "mayMakeTables",
    has_database_privilege(current_database(), 'create') as "mayMakeSchemas",
    to_regclass('pgboss.version') is not null as "hasQueue",
    exists (select from pg_extension where extname = ${EXTENSION}) as "hasExtension",
    exists (select from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = ${EXTENSION} and n.nspname = any (current_schemas(true))) as "isExtensionInPath",
    exists (select from pg_available_extensions where name = ${EXTENSION}) as "isExtensionAvailable",
    (select bool_or(trusted) from pg_available_extension_versions where name = ${EXTENSION})
      or (select rolsuper from pg_roles where rolname = current_user) as "isExtensionTrusted"`;

/**
 * Refuses a database in which a migration would fail, before the first one.
 * @throws Error that says what its owner or a superuser has to run
 */
export async function refuseUnsuitable<DB>(db: Kysely<DB>): Promise<void> {
  const { rows } = await FOUND.execute(db.withoutPlugins());
  const [found] = rows;
  if (!found) return;
  const { database, role, encoding } = found;
  if (encoding !== 'UTF8')
    throw new Error(
      `The database ${database} stores text as ${encoding}, and ClipSwap needs UTF8. Make another one and name it in DATABASE_URL: create database clipswap_utf8 owner ${role} template template0 encoding 'UTF8' locale 'C'`,
    );
  if (!found.hasExtension && !found.isExtensionAvailable)
    throw new Error(
      `The PostgreSQL server lacks the extension ${EXTENSION}: install its package of extensions (postgresql-contrib)`,
    );
  const statements = missingOf(found);
  if (statements.length > 0)
    throw new Error(
      `The role ${role} lacks rights in the database ${database}. Let its owner or a superuser run there:\n${statements.map((each) => `  ${each};\n`).join('')}Then start ClipSwap again. Nothing was changed.`,
    );
}

function missingOf(found: Found): string[] {
  const { database, role, schema, mayMakeSchemas } = found;
  const mayInstall = mayMakeSchemas && found.isExtensionTrusted;
  return [
    ...(schema === null ? [`create schema clipswap authorization ${role}`] : []),
    ...(schema === null ? [`alter role ${role} in database ${database} set search_path = clipswap`] : []),
    ...(found.mayMakeTables === false ? [`grant create on schema ${schema} to ${role}`] : []),
    ...(mayMakeSchemas || found.hasQueue ? [] : [`grant create on database ${database} to ${role}`]),
    ...(found.hasExtension || mayInstall
      ? []
      : [`create extension ${EXTENSION}${schema ? ` schema ${schema}` : ''}`]),
    ...(found.hasExtension && !found.isExtensionInPath
      ? [`alter extension ${EXTENSION} set schema ${schema ?? 'clipswap'}`]
      : []),
  ];
}
