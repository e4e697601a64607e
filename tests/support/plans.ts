import { CamelCasePlugin, Kysely } from 'kysely';
import pg from 'pg';
import type { DatabaseHandle } from '#server/database/client.ts';
import { createDialect, type NamedQuery } from '#server/database/driver.ts';
import type { DB } from '#server/database/types.ts';

export interface Statement {
  /** Of a prepared one. */
  readonly name?: string | undefined;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A database that adds each statement to `sent`. */
export function recorded({ pool }: Pick<DatabaseHandle, 'pool'>, sent: Statement[]): Kysely<DB> {
  return new Kysely<DB>({
    dialect: createDialect(pool),
    plugins: [new CamelCasePlugin()],
    log: ({ query }: { query: NamedQuery }) => {
      sent.push({ name: query.name, sql: query.sql, parameters: query.parameters });
    },
  });
}

interface Explained {
  readonly 'QUERY PLAN': [{ Plan: PlanNode }];
}

function read({ rows }: { readonly rows: readonly Explained[] }): PlanNode[] {
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('There is no plan');
  return nodesOf(plan);
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The nodes of a statement's query plan, with the rows each has read. */
export async function planOf(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  { sql, parameters }: Statement,
): Promise<PlanNode[]> {
  return read(await pool.query<Explained>(`explain (analyze, format json) ${sql}`, [...parameters]));
}

/** The indexes that a statement would read. It does not run. */
export async function indexesOf(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  { sql, parameters }: Statement,
): Promise<string[]> {
  const nodes = read(await pool.query<Explained>(`explain (format json) ${sql}`, [...parameters]));
  return nodes.flatMap((node) => node['Index Name'] ?? []);
}

/** The same as `planOf` of the plan for all values, which a statement with a name gets. */
export async function genericPlanOf(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  { sql, parameters }: Statement,
): Promise<PlanNode[]> {
  const connection = await pool.connect();
  try {
    await connection.query(`set plan_cache_mode = force_generic_plan; prepare explained as ${sql}`);
    const textOf = (value: unknown) => {
      if (value instanceof Date) return value.toISOString();
      return Array.isArray(value) ? `{${value.join()}}` : String(value);
    };
    const values = parameters.map((value) => (value === null ? 'null' : pg.escapeLiteral(textOf(value))));
    const execute = values.length > 0 ? `execute explained (${values.join()})` : 'execute explained';
    return read(await connection.query<Explained>(`explain (analyze, format json) ${execute}`));
  } finally {
    // With its setting and the prepared statement.
    connection.release(true);
  }
}

/** Rows that a node has read, including filtered ones. */
export function rowsSeen(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return perLoop * node['Actual Loops'];
}
