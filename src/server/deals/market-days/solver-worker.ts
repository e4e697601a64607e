import type { Columns } from './columns.ts';
import { type MarketDaySolution, solveColumns } from './solve.ts';

/** What the process of the solver is asked. */
export interface SolverJob {
  readonly columns: Columns;
  readonly seed: string;
}

/** Solves a market day in a process of the pool. */
export const answer = ({ columns, seed }: SolverJob): MarketDaySolution => solveColumns(columns, seed);
