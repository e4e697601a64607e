import { type Cost, throughput } from './load.ts';
import { addressOf, MEASURES } from './measures.ts';
import { freePort, openProcessorClock, type Running, run } from './processes.ts';

/** What a request costs with so many processes. */
export interface WorkerRow extends Cost {
  readonly name: string;
  readonly workers: number;
}

/**
 * Asks the same calls of the product with different numbers of processes. All share the cores of this machine with the
 * database and the load: what a request costs each says how far more cores would help.
 * @param running has the program while it runs
 */
export async function measureWorkers(
  program: readonly string[],
  settings: Record<string, string>,
  running: Running[],
  given: { workers: readonly number[]; milliseconds: number; rounds: number },
): Promise<WorkerRow[]> {
  const spent = await openProcessorClock(settings.DATABASE_URL ?? '');
  const rows: WorkerRow[] = [];
  for (const workers of given.workers) {
    const port = await freePort();
    const env = { ...settings, PORT: String(port), WEB_CONCURRENCY: String(workers) };
    const product = await run(port, program, '/readyz', env);
    running.push(product);
    for (const measure of MEASURES) {
      const url = product.url + addressOf(measure, 'REST');
      const [cost] = await throughput([{ url, spent: () => spent(product.pid) }], {
        connections: 16,
        ...given,
      });
      if (cost) rows.push({ name: measure.name, workers, ...cost });
    }
    await running.pop()?.stop();
  }
  return rows;
}
