import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Config } from './core/config.ts';
import { createLogger } from './core/log.ts';

/** What a worker tells when it serves. */
const READY = 'ready';
/** What a worker is told when it shall finish its requests and end. */
const STOP = 'stop';

/** A worker that keeps ending is not started more often than this. */
const START_AGAIN_MS = 1_000;

/** Longer than a worker takes to stop by itself. */
const STOP_WITHIN_MS = 20_000;

/** Whether this process shall only start others, which share its port: `WEB_CONCURRENCY`. */
export function isPrimary({ webConcurrency }: Config): boolean {
  return webConcurrency > 1 && cluster.isPrimary;
}

/** Tells the primary process, if there is one, that this one serves. */
export function announceReady(): void {
  if (cluster.isWorker) process.send?.(READY);
}

/**
 * Runs `close` when the program is told to stop. A worker listens to its primary alone: a terminal or systemd signals
 * both, and a second signal would end it at once. When the primary is killed, Node ends the worker.
 */
export function onStop(delay: number, close: closeWithGrace.CloseWithGraceAsyncCallback): void {
  const signals = cluster.isWorker ? (['SIGINT', 'SIGTERM'] as const) : [];
  const { close: stop } = closeWithGrace({ delay, logger: false, skip: [...signals] }, close);
  for (const signal of signals) process.on(signal, () => {});
  if (cluster.isWorker) process.on('message', (message) => message === STOP && void stop());
}

/**
 * Starts `webConcurrency` workers, which run this program on one port, and starts each again that ends. Ends with the
 * workers when it is told to stop, or with the exit code of a worker that ends before it has served.
 * @returns when all workers serve
 */
export async function runWorkers(config: Config): Promise<void> {
  const log = createLogger(config);
  let isStopping = false;

  async function stop(): Promise<void> {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      running.map(async (worker) => {
        const ended = once(worker, 'exit');
        if (worker.isConnected()) worker.send(STOP);
        await ended;
      }),
    );
  }

  /** @param place 0 for the first worker; each has a port of its own for metrics */
  function start(place: number): Promise<void> {
    const port = config.metricsPort && config.metricsPort + place;
    const worker = cluster.fork(port ? { METRICS_PORT: port } : {});
    const { pid } = worker.process;
    const ready = untilReady(worker);
    let hasServed = false;
    void ready.then(() => {
      hasServed = true;
      log.info({ worker: pid, place }, 'a worker serves');
    });
    worker.once('exit', async (code, signal) => {
      if (isStopping) return;
      if (!hasServed) {
        await stop();
        process.exit(code || 1);
      }
      log.error({ worker: pid, code, signal }, 'a worker has ended; starting another');
      await sleep(START_AGAIN_MS);
      if (!isStopping) await start(place);
    });
    return ready;
  }

  closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, stop);
  await Promise.all(Array.from({ length: config.webConcurrency }, (_, place) => start(place)));
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.on('message', (message) => message === READY && resolve());
  });
}
