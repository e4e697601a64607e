import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Statement } from './deals.ts';
import type { Spent } from './processes.ts';

/** Comes with PostgreSQL, where that is installed. */
const PROGRAM = 'pgbench';

interface Given {
  readonly databaseUrl: string;
  /** For its script. */
  readonly folder: string;
  readonly seconds: number;
  readonly spent: () => Pick<Spent, 'database'>;
}

/**
 * Lets PostgreSQL's own load program send statements, prepared once: nothing asks with less.
 * @returns processor microseconds of PostgreSQL for all these statements; null where the program is not installed
 * @throws Error with its output where it fails
 */
export function askByPgbench(
  statements: readonly Statement[],
  { databaseUrl, folder, seconds, spent }: Given,
): number | null {
  const script = path.join(folder, 'pgbench.sql');
  writeFileSync(script, statements.map((statement, at) => `${withVariables(statement, at)};\n`).join(''));
  const variables = statements.flatMap(({ values }, statement) =>
    values.flatMap((value, at) =>
      value === null ? [] : ['-D', `${variableOf(statement, at + 1)}=${toText(value)}`],
    ),
  );
  const before = spent().database;
  const args = ['-n', '-M', 'prepared', '-c', '8', '-T', String(seconds), ...variables, '-f', script];
  const { error, status, stdout, stderr } = spawnSync(PROGRAM, [...args, databaseUrl], {
    encoding: 'utf8',
  });
  const after = spent().database;
  if (error && 'code' in error && error.code === 'ENOENT') return null;
  const calls = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
  if (status !== 0 || !(calls > 0)) throw new Error(`pgbench: ${stdout}${stderr}`, { cause: error });
  return before === null || after === null ? null : (1_000_000 * (after - before)) / calls;
}

const variableOf = (statement: number, at: number) => `value_${statement}_${at}`;

/** A statement with variables of pgbench for its parameters, of which none can be null. */
const withVariables = ({ text, values }: Statement, statement: number) =>
  text.replace(/\$(\d+)/g, (_, at) =>
    values[Number(at) - 1] === null ? 'null' : `:${variableOf(statement, Number(at))}`,
  );

/** A value as PostgreSQL reads it. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value)
    ? `{${value.map((one) => (one === null ? 'null' : JSON.stringify(String(one)))).join(',')}}`
    : String(value);
}
