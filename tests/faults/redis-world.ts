import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { createDatabase } from '#server/database/client.ts';
import { openLiveEvents } from '#server/database/live.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { type Client, createRedis, type RedisOptions } from '#server/redis/connection.ts';
import { createRedisLimiter } from '#server/redis/rate-limits.ts';
import { createSignalBroker } from '#server/redis/signals.ts';
import { setUpDatabase, type TestDatabase } from '#tests/support/database.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { type FaultProxy, openFaultProxy } from './proxy.ts';
import { prepareValkey, type Valkey } from './valkey.ts';

const LIMITS = {
  connectionTimeoutMillis: HANGS_MS,
  statement_timeout: HANGS_MS,
  lock_timeout: HANGS_MS,
  idle_in_transaction_session_timeout: HANGS_MS,
};

export type TestProcess = Awaited<ReturnType<typeof openProcess>>;

/** What a server process has for live events and limits. By default, it has as much patience as a busy machine needs. */
async function openProcess(
  given: Partial<RedisOptions> & {
    readonly url: string;
    readonly databaseUrl: string;
    readonly prefix?: string;
  },
) {
  const { databaseUrl, prefix = 'clipswap:' } = given;
  const log = given.log ?? createLogger({ logLevel: 'silent', isProduction: true });
  const redis = createRedis({ commandMs: HANGS_MS, pulseMs: HANGS_MS, log, ...given });
  const broker = createSignalBroker(redis, prefix);
  const database = createDatabase({ url: databaseUrl, poolSize: 5, limits: LIMITS, broker });
  const live = openLiveEvents({ url: databaseUrl, db: database.db, log, broker });
  const limiter = createRedisLimiter({ redis, prefix, fallback: createRateLimiter(database.pool), log });
  await live.open();
  return {
    ...database,
    live,
    limiter,
    redis,
    /** Opens a line; `next()` returns its next event. */
    follow(userId: number) {
      const line = live.follow({ userId, ip: '192.0.2.1' });
      return { next: async () => (await line.next()).value, end: () => void line.return() };
    },
    async close() {
      await live.close();
      await database.close();
      await redis.close();
    },
  };
}

type ProcessOptions = Parameters<typeof openProcess>[0];

interface RedisWorld {
  readonly database: TestDatabase;
  readonly valkey: Valkey;
  /** A way to Valkey that may fail. */
  readonly proxy: FaultProxy;
  /** Opens a server process, which is closed after the test. */
  start(given?: Partial<ProcessOptions>): Promise<TestProcess>;
}

/** A database and a running Valkey for the tests of one file. */
export function setUpRedis(): RedisWorld {
  const database = setUpDatabase();
  const open: TestProcess[] = [];
  const world = {
    database,
    async start(given: Partial<ProcessOptions> = {}) {
      const opened = await openProcess({ url: world.valkey.url, databaseUrl: database.url, ...given });
      open.push(opened);
      return opened;
    },
  } as RedisWorld;
  beforeAll(async () => {
    const valkey = await prepareValkey();
    await valkey.start();
    Object.assign(world, { valkey, proxy: await openFaultProxy(valkey) });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await world.proxy.set('none');
  });
  afterAll(async () => {
    await world.proxy.close();
    await world.valkey.kill();
  });
  return world;
}

/** For faults that only time reveals. */
export const HASTY = { commandMs: 1_000, pulseMs: 1_000 };

/** Asks Redis over the connection of a process. */
export const ask = <Result>({ redis }: TestProcess, command: (client: Client) => Promise<Result>) =>
  redis.ask(command);

/** A log, and the warnings in it. */
export function watchedLog() {
  const log = createLogger({ logLevel: 'silent', isProduction: true });
  const warn = vi.spyOn(log, 'warn');
  const said = () =>
    warn.mock.calls.map(([details, text]) => `${text}: ${(details as { err?: Error }).err?.message}`);
  return { log, said };
}
