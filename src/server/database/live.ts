import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import { LIVE_LINES, type LiveEvents, type LiveSignal, readSignal, writeSignal } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import { addressKey } from '#server/core/rate-limit.ts';
import type { Database, Trx } from './client.ts';

type LiveEvent = LiveSignal['event'];

const CHANNEL = 'clipswap_live';
/** The most events queued for a slow follower; beyond that a resync replaces them. */
const QUEUE_MAX = 100;
const RECONNECT_MS = { first: 100, most: 1_000 };
/** How often the connection is checked, and how long an answer may take: it can die without an event. */
const PULSE_MS = 5_000;

/**
 * Signals open browsers once the caller's transaction commits; a rollback sends nothing. PostgreSQL sends equal
 * signals of one transaction once.
 */
export async function announce(db: Database | Trx, signals: readonly LiveSignal[]): Promise<void> {
  if (signals.length === 0) return;
  const payloads = signals.map(writeSignal);
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
}

interface Follower {
  push(event: LiveEvent): void;
}

/**
 * Opens the live events of this process: one connection, opened for the first follower, listens for all of them and
 * reconnects when it breaks.
 */
export function openLiveEvents({ url, log }: { url: string; log: Logger }): LiveEvents {
  const followers = new Map<number, Set<Follower>>();
  /** How many lines each address has open. */
  const addresses = new Map<string, number>();
  const closing = new AbortController();
  let listening: Promise<void> | undefined;
  let current: pg.Client | undefined;

  function pass(payload: string | undefined): void {
    if (payload === undefined) return;
    const { userId, event } = readSignal(payload);
    for (const follower of followers.get(userId) ?? []) follower.push(event);
  }

  /** Listens until the connection breaks. @param onReady called once every new event is received */
  async function listen(onReady: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'clipswap live',
      keepAlive: true,
      connectionTimeoutMillis: PULSE_MS,
      query_timeout: PULSE_MS,
    });
    const broken = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        log.warn({ err: error }, 'the live line was lost');
        resolve();
      });
      client.on('end', resolve);
    });
    current = client;
    let pulse: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      client.on('notification', ({ payload }) => pass(payload));
      await client.query(`listen ${CHANNEL}`);
      onReady();
      pulse = setInterval(() => void heartbeat(client), PULSE_MS);
      await broken;
    } finally {
      clearInterval(pulse);
      hangUp(client);
    }
  }

  async function heartbeat(client: pg.Client): Promise<void> {
    await client.query('select 1').catch(() => hangUp(client));
  }

  /** Keeps the connection open; resolves when it is open for the first time. */
  function start(): Promise<void> {
    return new Promise((resolve) => {
      const keepUp = async () => {
        let wait = RECONNECT_MS.first;
        while (!closing.signal.aborted) {
          try {
            await listen(() => {
              wait = RECONNECT_MS.first;
              resolve();
              for (const of of followers.values())
                for (const follower of of) follower.push({ kind: 'resync' });
            });
          } catch (error) {
            if (!closing.signal.aborted) log.warn({ err: error }, 'the live line cannot be opened');
          }
          await sleep(wait, undefined, { signal: closing.signal }).catch(() => {});
          wait = Math.min(wait * 2, RECONNECT_MS.most);
        }
        resolve();
      };
      void keepUp();
    });
  }

  const follow: LiveEvents['follow'] = ({ userId, ip }, signal) => {
    const over = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const queue: LiveEvent[] = [];
    let wake = () => {};
    const follower: Follower = {
      push(event) {
        if (queue.length >= QUEUE_MAX || event.kind === 'resync')
          queue.splice(0, queue.length, { kind: 'resync' });
        else queue.push(event);
        wake();
      },
    };
    const address = addressKey(ip);
    const mine = followers.get(userId) ?? new Set();
    const ofAddress = addresses.get(address) ?? 0;
    if (mine.size >= LIVE_LINES.ofPerson || ofAddress >= LIVE_LINES.ofAddress) throw tooManyLines();
    followers.set(userId, mine.add(follower));
    addresses.set(address, ofAddress + 1);
    const leave = () => {
      wake();
      if (!mine.delete(follower)) return;
      if (mine.size === 0) followers.delete(userId);
      const left = (addresses.get(address) ?? 0) - 1;
      if (left > 0) addresses.set(address, left);
      else addresses.delete(address);
    };
    if (over.aborted) leave();
    else over.addEventListener('abort', leave);

    async function* events(): AsyncGenerator<LiveEvent, void, undefined> {
      try {
        listening ??= start();
        await Promise.race([listening, once(over)]);
        if (queue.length === 0) queue.push({ kind: 'resync' });
        while (!over.aborted) {
          const event = queue.shift();
          if (event) yield event;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        leave();
      }
    }
    return events();
  };

  return {
    follow,
    count: () => [...followers.values()].reduce((sum, mine) => sum + mine.size, 0),
    async close() {
      closing.abort();
      if (current) hangUp(current);
    },
  };
}

/** The browser tries again by itself, later and later. */
function tooManyLines(): AppError {
  const text = 'ClipSwap is open in too many windows. Close some of them to get news at once here.';
  return new AppError('rate_limited', text, { retryAfter: 30 });
}

/** Without a goodbye, which on a dead line would wait for an answer. */
function hangUp(client: pg.Client): void {
  client.connection.stream.destroy();
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
