import { readdirSync, readFileSync } from 'node:fs';
import { createDatabase } from '#server/database/client.ts';
import { throughput } from './load.ts';
import { addressOf, MEASURES } from './measures.ts';
import { freePort, processorSeconds, type Running, run } from './processes.ts';

/** What a request costs with so many processes. */
export interface WorkerRow {
  readonly name: string;
  readonly workers: number;
  readonly perSecond: number;
  /** Processor milliseconds of a request in ClipSwap, in the database, and in the program that asks. */
  readonly appMs: number;
  readonly databaseMs: number;
  readonly loadMs: number;
}

/** The processor seconds of a process and of all below it, ended ones included. Linux only. */
function secondsOfTree(pid: number): number {
  const below = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(Number(name)) === pid);
  return below.reduce((sum, name) => sum + secondsOfTree(Number(name)), processorSeconds(pid, true) ?? 0);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
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
  const database = createDatabase({ url: settings.DATABASE_URL ?? '', poolSize: 1 });
  const { rows: found } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(found[0]?.pid ?? 0) ?? 0;
  await database.close();
  const rows: WorkerRow[] = [];
  for (const workers of given.workers) {
    const port = await freePort();
    const env = { ...settings, PORT: String(port), WEB_CONCURRENCY: String(workers) };
    const product = await run(port, program, '/readyz', env);
    running.push(product);
    const read = () => [secondsOfTree(product.pid), secondsOfTree(postmaster), process.cpuUsage()] as const;
    for (const measure of MEASURES) {
      const url = product.url + addressOf(measure, 'REST');
      const [app, server, load] = read();
      const begun = performance.now();
      // The warm-up counts here, too: it is a round like the others.
      const [perSecond = 0] = await throughput([url], { connections: 16, ...given });
      const requests = (perSecond * (performance.now() - begun)) / 1_000;
      const [appAfter, serverAfter] = read();
      const { user, system } = process.cpuUsage(load);
      rows.push({
        name: measure.name,
        workers,
        perSecond,
        appMs: ((appAfter - app) / requests) * 1_000,
        databaseMs: ((serverAfter - server) / requests) * 1_000,
        loadMs: (user + system) / 1_000 / requests,
      });
    }
    await running.pop()?.stop();
  }
  return rows;
}
