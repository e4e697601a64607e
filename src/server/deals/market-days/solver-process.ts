import path from 'node:path';
import type { MarketDayGraph } from '#contract/deals/market-day-certificate.ts';
import { ROOT } from '#server/core/root.ts';
import { openProcesses } from '#server/readers/pictures/processes.ts';
import { columnsOf } from './columns.ts';
import type { MarketDaySolution } from './solve.ts';
import type { SolverJob } from './solver-worker.ts';

const LIMITS = {
  timeLimitMs: 300_000,
  /** Of the JavaScript heap; the columns are outside of it. */
  heapMb: 640,
  memoryMb: 1_024,
};

/** As `Processes` needs them for a single job. */
const ONE_JOB = { processes: 1, queueLimit: 1, idleMs: 1_000 };

/**
 * Solves a market day as `solve` does, in a process of its own, so that nobody waits for it. The process has five minutes
 * and 1 GB, and has ended when this returns or throws.
 * @throws ProcessFailure when it fails, or exceeds a limit; the reason of the signal when that is aborted
 */
export async function solveInChild(
  graph: MarketDayGraph,
  seed: string,
  signal: AbortSignal,
): Promise<MarketDaySolution> {
  signal.throwIfAborted();
  const script = path.join(ROOT, 'dist/server/pictures/solver-worker.js');
  const processes = openProcesses<SolverJob, MarketDaySolution>({ ...LIMITS, ...ONE_JOB, script });
  const abort = () => void processes.close();
  signal.addEventListener('abort', abort);
  try {
    return await processes.run({ columns: columnsOf(graph), seed });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    await processes.close();
  }
}
