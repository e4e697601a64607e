import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisClientType } from '@redis/client';
import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { Logger } from '#server/core/log.ts';

/** No modules, functions, scripts or types of our own. */
type None = Record<never, never>;
/** An open connection. By RESP 3, it takes commands and hears messages. */
export type Client = RedisClientType<None, None, None, 3, None>;

/** How long one command may take before its caller goes another way. */
const COMMAND_MS = 500;
/** How often the connection is checked, and how long an answer may take: it can die without an event. */
const PULSE_MS = 5_000;
const RECONNECT_MS = { first: 100, most: 2_000 };
/** Commands that wait for an answer; more fail at once. */
const QUEUE_MAX = 10_000;

/** What lasts as long as one connection. */
interface Session {
  /** Comes before any command of others. */
  begin(client: Client): Promise<void>;
  pulse(client: Client): Promise<void>;
  /** Also when it could not be begun. */
  end(): void;
  /** Comes before the program closes the connection. */
  leave(client: Client): Promise<void>;
}

export interface Redis {
  /** @throws Error at once while Redis is away or silent, and soon when it does not answer */
  ask<Result>(command: (client: Client) => Promise<Result>): Promise<Result>;
  isUp(): boolean;
  /** Connects, and again whenever the connection breaks. Resolves when that has succeeded or failed once. */
  open(session: Session): Promise<void>;
  close(): Promise<void>;
}

export interface RedisOptions {
  readonly url: string;
  readonly log: Logger;
  readonly commandMs?: number;
  readonly pulseMs?: number;
}

/**
 * One connection to Redis or Valkey. Commands never wait for it: without a connection they fail at once. We reconnect
 * ourselves, because the client would keep a silent connection open.
 */
export function createRedis(options: RedisOptions): Redis {
  const { url, log, commandMs = COMMAND_MS, pulseMs = PULSE_MS } = options;
  const closing = new AbortController();
  const soon = timeout(commandMs, TimeoutStrategy.Aggressive);
  const patiently = timeout(pulseMs, TimeoutStrategy.Aggressive);
  let current: Client | undefined;
  /** Somebody has waited in vain: nobody else does before the next pulse is answered. */
  let isSilent = false;
  /** Why there is no connection; a new reason is worth another line in the log. */
  let reason: string | undefined;
  let keeping: Promise<void> | undefined;

  async function createClient(): Promise<Client> {
    const redis = await import('@redis/client');
    // Named, not inferred: else tsc compares two clients, command by command, for seconds.
    return redis.createClient<None, None, None, 3, None>({
      url,
      name: 'clipswap',
      disableOfflineQueue: true,
      commandsQueueMaxLength: QUEUE_MAX,
      maintNotifications: 'disabled',
      socket: { connectTimeout: pulseMs, reconnectStrategy: false },
    });
  }

  /** Keeps one connection until it breaks, is silent, or the program closes. @throws Error that says why */
  async function hold(session: Session, onReady: () => void): Promise<void> {
    const client = await createClient();
    const broken = new Promise<never>((_, reject) => client.on('error', reject));
    const within = (work: () => Promise<unknown>) =>
      Promise.race([broken, patiently.execute(work, closing.signal)]);
    try {
      await within(() => client.connect());
      await within(() => session.begin(client));
      current = client;
      isSilent = false;
      onReady();
      while (!closing.signal.aborted) {
        await Promise.race([broken, sleep(pulseMs, undefined, { signal: closing.signal }).catch(() => {})]);
        if (!closing.signal.aborted) await within(() => session.pulse(client));
        isSilent = false;
      }
      await soon.execute(() => session.leave(client));
    } finally {
      current = undefined;
      session.end();
      client.destroy();
    }
  }

  async function keep(session: Session, onTried: () => void): Promise<void> {
    let wait = RECONNECT_MS.first;
    while (!closing.signal.aborted) {
      try {
        await hold(session, () => {
          wait = RECONNECT_MS.first;
          if (reason !== undefined) log.info('Redis is back');
          reason = undefined;
          onTried();
        });
      } catch (error) {
        if (closing.signal.aborted) break;
        const found = error instanceof Error ? error.message : String(error);
        if (found !== reason) log.warn({ err: error }, 'Redis cannot be used: the database does its work');
        reason = found;
        onTried();
      }
      await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
      wait = Math.min(wait * 2, RECONNECT_MS.most);
    }
    onTried();
  }

  return {
    async ask(command) {
      const client = current;
      if (!client || isSilent) throw new Error('Redis is away');
      try {
        return await soon.execute(() => command(client));
      } catch (error) {
        if (error instanceof TaskCancelledError && client === current) isSilent = true;
        throw error;
      }
    },
    isUp: () => current !== undefined && !isSilent,
    open(session) {
      return new Promise((resolve) => {
        keeping ??= keep(session, resolve);
      });
    },
    async close() {
      closing.abort();
      await keeping;
    },
  };
}
