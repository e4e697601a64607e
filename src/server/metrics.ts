import { createServer } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PAYMENT_ISSUE_KINDS } from '#contract/money/payment-issues.ts';
import type { Context } from './context/context.ts';
import { LIVE_TRANSPORTS } from './core/live.ts';
import { LIMIT_STORES } from './core/rate-limit.ts';
import type { ReplicaState } from './core/replica.ts';
import type { ConnectionPool } from './database/connections.ts';
import type { QueueState } from './jobs/runner.ts';
import { countOpenDifferences } from './money/comparison/service.ts';
import { countPaymentIssues } from './money/payment-issues/service.ts';
import { health } from './oversight/checks/service.ts';
import { appRouter } from './router.ts';

export interface Metrics {
  /** Measures every request of an application. */
  watch(app: FastifyInstance): void;
  /** The metrics in Prometheus's text format. */
  read(): Promise<string>;
  /** Serves `/metrics`. @returns the port */
  listen(host: string, port: number): Promise<number>;
  close(): Promise<void>;
}

export interface Watched extends Pick<Context, 'db' | 'clock' | 'providers' | 'live' | 'limiter' | 'log'> {
  readonly pool: Pick<ConnectionPool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly replica: { state(): ReplicaState } | null;
  readonly queue: () => Promise<QueueState>;
}

/** A scrape does not wait longer for the database. */
const DATABASE_WITHIN_MS = 3_000;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A route's pattern or a procedure's name: as many as there are in the program, whatever people ask for. */
export function routeOf({ routeOptions, params }: FastifyRequest): string {
  const pattern = routeOptions.url;
  if (pattern === undefined || pattern === '*' || pattern === '/*') return 'none';
  if (!pattern.startsWith('/api/trpc/')) return pattern;
  const { path = pattern.slice('/api/trpc/'.length) } = params as { path?: string };
  return Object.hasOwn(appRouter._def.procedures, path) ? `trpc ${path}` : 'none';
}

/** Gathers what an operator watches: see docs/operations.md. */
export async function createMetrics(watched: Watched): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `clipswap_${name}`, help, labelNames, registers });

  const duration = new Histogram({
    name: 'clipswap_http_request_duration_seconds',
    help: 'How long requests took, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const pool = gauge('database_pool_connections', 'Connections of this process', ['state']);
  const replica = {
    isUsed: gauge('replica_used', 'Whether lists are read from the replica'),
    lag: gauge('replica_lag_seconds', 'For how long the replica has lacked something'),
    failed: gauge('replica_failed_reads', 'Reads since the start that the primary answered in its place'),
  };
  const liveLines = gauge('live_lines', 'Open live lines of this process');
  const transport = gauge('live_transport', 'How live events are heard', ['transport']);
  const limits = gauge('limits_store', 'Where limits are counted', ['store']);
  const isUp = gauge('database_up', 'Whether the database answers');
  const queued = gauge('queue_jobs', 'Runs in the queue that are due', ['state']);
  const lag = gauge('queue_lag_seconds', 'How long the oldest run that is due has waited');
  const jobOk = gauge('job_ok', 'Whether the last run of a job was in time and well', ['job']);
  const jobSuccess = gauge('job_last_success_timestamp_seconds', 'When a job last went well', ['job']);
  const jobDuration = gauge('job_last_duration_seconds', 'How long the last run of a job took', ['job']);
  const mail = gauge('mail_outbox', 'Mail that waits, and mail that was given up', ['state']);
  const webhooks = gauge('webhooks', 'Events of payment providers that wait, and that fail', [
    'provider',
    'state',
  ]);
  const differences = gauge('reconciliation_differences', 'Where our books and a provider’s differ', [
    'provider',
  ]);
  const issues = gauge('payment_matters', 'What waits for an admin because no program can decide it', [
    'kind',
  ]);
  const ofDatabase = [queued, lag, jobOk, jobSuccess, jobDuration, mail, webhooks, differences, issues];

  async function readDatabase(): Promise<void> {
    const [queue, { jobs, webhooks: events, mail: outbox }, differing, waiting] = await Promise.all([
      watched.queue(),
      health(watched),
      countOpenDifferences(watched.db),
      countPaymentIssues(watched),
    ]);
    queued.set({ state: 'waiting' }, queue.waiting);
    queued.set({ state: 'active' }, queue.active);
    lag.set(queue.lagSeconds);
    for (const { name: job, state, lastSucceededAt, lastDurationMs } of jobs) {
      jobOk.set({ job }, state === 'ok' ? 1 : 0);
      if (lastSucceededAt) jobSuccess.set({ job }, Date.parse(lastSucceededAt) / 1_000);
      if (lastDurationMs !== null) jobDuration.set({ job }, lastDurationMs / 1_000);
    }
    for (const kind of PAYMENT_ISSUE_KINDS)
      issues.set({ kind }, waiting.find((counted) => counted.kind === kind)?.count ?? 0);
    mail.set({ state: 'waiting' }, outbox.waiting);
    mail.set({ state: 'failed' }, outbox.failed);
    for (const { provider, waiting, failing } of events) {
      webhooks.set({ provider, state: 'waiting' }, waiting);
      webhooks.set({ provider, state: 'failing' }, failing);
      const ofProvider = differing.find((counted) => counted.provider === provider);
      differences.set({ provider }, ofProvider?.count ?? 0);
    }
  }

  async function read(): Promise<string> {
    const { totalCount, idleCount, waitingCount } = watched.pool;
    pool.set({ state: 'total' }, totalCount);
    pool.set({ state: 'idle' }, idleCount);
    pool.set({ state: 'waiting' }, waitingCount);
    if (watched.replica) {
      const { isUsed, lagSeconds, failedReads } = watched.replica.state();
      replica.isUsed.set(isUsed ? 1 : 0);
      replica.lag.set(lagSeconds);
      replica.failed.set(failedReads);
    }
    liveLines.set(watched.live.count());
    for (const name of LIVE_TRANSPORTS)
      transport.set({ transport: name }, watched.live.transport() === name ? 1 : 0);
    for (const name of LIMIT_STORES) limits.set({ store: name }, watched.limiter.store() === name ? 1 : 0);
    for (const metric of ofDatabase) metric.reset();
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(reject, DATABASE_WITHIN_MS, new Error('The database does not answer')).unref();
    });
    const answered = Promise.race([readDatabase(), late]);
    isUp.set(
      await answered.then(
        () => 1,
        () => 0,
      ),
    );
    return registry.metrics();
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics')
      return response.writeHead(404).end();
    try {
      const text = await read();
      return response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      watched.log.error({ err: error }, 'metrics could not be read');
      return response.writeHead(500).end();
    }
  });

  return {
    watch(app) {
      app.addHook('onResponse', async (request, reply) => {
        // A live line is open for hours, and counted as such.
        if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
        const labels = { method: request.method, route: routeOf(request), status: reply.statusCode };
        duration.observe(labels, reply.elapsedTime / 1_000);
      });
    },
    read,
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      const address = server.address();
      return address && typeof address === 'object' ? address.port : port;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      registry.clear();
    },
  };
}
