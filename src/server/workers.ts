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

const PING = 'ping';
const PONG = 'pong';
const PING_MS = 5_000;
/** A worker hangs when this many pings are unanswered. A busy worker answers late, but then all of them. */
const PINGS_LEFT = 24;

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
  if (!cluster.isWorker) return;
  process.on('message', (message) => message === PING && process.send?.(PONG));
  process.send?.(READY);
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
 * workers when it is told to stop, or with the exit code of a worker that cannot start while none has served yet.
 * @returns when all workers serve
 */
export async function runWorkers(config: Config): Promise<void> {
  const log = createLogger(config);
  let isStopping = false;
  /** From then on the installation is sound: a worker that ends while it starts had another cause, as too little memory. */
  let haveServed = false;
  const serving = new Set<Worker>();

  async function stop(): Promise<void> {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      running.map(async (worker) => {
        const ended = once(worker, 'exit');
        // One that still starts, or waits for the database, does not listen yet.
        if (!serving.has(worker)) worker.process.kill();
        else if (worker.isConnected()) worker.send(STOP);
        await ended;
      }),
    );
  }

  /** @param place 0 for the first worker; each has a port of its own for metrics */
  function start(place: number): Promise<void> {
    const port = config.metricsPort && config.metricsPort + place;
    const worker = cluster.fork(port ? { METRICS_PORT: port } : {});
    const { pid } = worker.process;
    log.info({ worker: pid, place }, 'a worker starts');
    const ready = untilReady(worker).then(() => {
      haveServed = true;
      serving.add(worker);
      killWhenHanging(worker, () => log.fatal({ worker: pid, place }, 'a worker hangs'));
      log.info({ worker: pid, place }, 'a worker serves');
    });
    worker.once('exit', async (code, signal) => {
      serving.delete(worker);
      if (isStopping) return;
      if (!haveServed) {
        await stop();
        process.exit(code || 1);
      }
      log.error({ worker: pid, code, signal }, 'a worker has ended; starting another');
      await sleep(START_AGAIN_MS);
      if (!isStopping) void start(place);
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

/**
 * Kills a worker that has answered none of the last pings: its share of the connections would hang with it. Pings are
 * counted, since a machine that slept has lost time but no pings.
 */
export function killWhenHanging(worker: Worker, onHang: () => void): void {
  let left = 0;
  const pinging = setInterval(() => {
    if (left >= PINGS_LEFT) {
      clearInterval(pinging);
      onHang();
      worker.process.kill('SIGKILL');
    } else if (worker.isConnected()) {
      left += 1;
      worker.send(PING);
    }
  }, PING_MS).unref();
  worker.on('message', (message) => {
    if (message === PONG) left = 0;
  });
  worker.once('exit', () => clearInterval(pinging));
}
