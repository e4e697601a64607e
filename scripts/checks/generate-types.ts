/**
 * `npm run db:types`: writes src/server/database/types.ts from the migrated schema. With `--check` it compares
 * instead, and fails when a migration has changed the schema since.
 */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generate, PostgresDialect } from 'kysely-codegen';
import { createLogger } from '#server/core/log.ts';
import { createDatabase } from '#server/database/client.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { openTemporaryDatabase } from '#server/database/temporary.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILE = 'src/server/database/types.ts';

/** The types of the rows of a freshly migrated database, as `createDatabase` parses them. */
async function generateTypes(): Promise<string> {
  const log = createLogger({ logLevel: 'warn', isProduction: true });
  const scratch = await openTemporaryDatabase(process.env.TEST_DATABASE_URL, log);
  const database = createDatabase({ url: scratch.url, poolSize: 2 });
  try {
    await migrateToLatest(database);
    const source = await generate({
      db: database.db.withoutPlugins(),
      dialect: new PostgresDialect({ dateParser: 'string', numericParser: 'string' }),
      camelCase: true,
      // The pool reads int8 as numbers.
      typeMapping: { int8: 'number' },
      excludePattern: 'kysely_*',
      outFile: null,
    });
    // Tables are only used through DB.
    return source.replace(/^export (?=type |interface (?!DB ))/gm, '');
  } finally {
    await database.close();
    await scratch.close();
  }
}

/** Formats with Biome, by standard input, since Biome ignores the generated file. */
function format(source: string): string {
  const biome = path.join(ROOT, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', '--stdin-file-path=src/server/database/generated.ts'], {
    cwd: ROOT,
    input: source,
    encoding: 'utf8',
  });
}

// Stops the temporary server as well.
process.once('SIGINT', () => process.exit(130));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const types = format(await generateTypes());
const file = path.join(ROOT, FILE);
if (!values.check) {
  await writeFile(file, types);
  console.log(`${FILE} is written.`);
} else if ((await readFile(file, 'utf8').catch(() => '')) === types) {
  console.log(`${FILE} is up to date.`);
} else {
  console.error(`${FILE} does not match the migrations. Run: npm run db:types`);
  process.exitCode = 1;
}
