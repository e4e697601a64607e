import { CamelCasePlugin, Kysely } from 'kysely';
import type { DatabaseHandle } from '#server/database/client.ts';
import { createDialect } from '#server/database/driver.ts';
import type { DB } from '#server/database/types.ts';

export interface Statement {
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
  readonly 'Shared Hit Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A database that adds each statement to `sent`. */
export function recorded({ pool }: Pick<DatabaseHandle, 'pool'>, sent: Statement[]): Kysely<DB> {
  return new Kysely<DB>({
    dialect: createDialect(pool),
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => {
      sent.push({ sql: query.sql, parameters: query.parameters });
    },
  });
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The nodes of a statement's query plan, with the rows each has read. */
export async function planOf(
  { pool }: Pick<DatabaseHandle, 'pool'>,
  statement: Statement,
): Promise<PlanNode[]> {
  const explained = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${statement.sql}`,
    [...statement.parameters],
  );
  const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('There is no plan');
  return nodesOf(plan);
}

/** Rows that a node has read, including filtered ones. */
export function rowsSeen(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return perLoop * node['Actual Loops'];
}
