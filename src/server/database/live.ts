import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import { LIVE_LINES, type LiveEvents, type LiveSignal, readSignal, writeSignal } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import { addressKey } from '#server/core/rate-limit.ts';
import type { Database, Trx } from './client.ts';
import { readAddress } from './sessions.ts';

type LiveEvent = LiveSignal['event'];

const CHANNEL = 'clipswap_live';
/** The most events queued for a slow follower; beyond that a resync replaces them. */
const QUEUE_MAX = 100;
const RECONNECT_MS = { first: 100, most: 1_000 };
/** How long to wait before listening again where nothing was heard: each try may leave a LISTEN in a pooler. */
const UNHEARD_MS = 60_000;
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

/** LISTEN succeeds and nothing arrives, as through a pooler in transaction mode. */
class NotHeard extends Error {
  constructor() {
    super(
      'Nothing announced in the database is heard. Set DATABASE_DIRECT_URL to the server, not to a pooler',
    );
  }
}

interface LiveOptions {
  /** Where to listen: the server itself, or a pooler that gives each client a session of its own. */
  readonly url: string;
  /** The program's own way to the database, which events are announced through. */
  readonly db: Database;
  readonly log: Logger;
  /** Resolves when everything written until now can be read, from a replica, too. */
  readonly readable?: (() => Promise<void>) | undefined;
  /** How long an event may take to be heard. */
  readonly withinMs?: number;
}

/**
 * Opens the live events of this process: one connection, opened by `open` or for the first follower, listens for all of
 * them and reconnects when it breaks. While it cannot listen, followers are told to poll.
 */
export function openLiveEvents(options: LiveOptions): LiveEvents {
  const { url, db, log, readable, withinMs = PULSE_MS } = options;
  const followers = new Map<number, Set<Follower>>();
  /** How many lines each address has open. */
  const addresses = new Map<string, number>();
  const closing = new AbortController();
  let listening: Promise<void> | undefined;
  let current: pg.Client | undefined;
  let isPolling = false;

  function tellAll(event: LiveEvent): void {
    for (const of of followers.values()) for (const follower of of) follower.push(event);
  }

  function pass({ userId, event }: LiveSignal): void {
    for (const follower of followers.get(userId) ?? []) follower.push(event);
  }

  const whenReadable = async () => readable?.();
  const held: LiveSignal[] = [];
  let isHolding = false;

  /** Browsers read at once what they are told of: they are told when they can. */
  async function hear(payload: string): Promise<void> {
    const signal = readSignal(payload);
    if (!readable) return pass(signal);
    // Nobody here is told of it.
    if (!followers.has(signal.userId)) return;
    held.push(signal);
    if (isHolding) return;
    isHolding = true;
    while (held.length > 0) {
      const batch = held.splice(0);
      await whenReadable();
      for (const each of batch) pass(each);
    }
    isHolding = false;
  }

  /** Announces something and waits to hear it, which a pooler may prevent without an error. @throws NotHeard */
  async function hearProbe(client: pg.Client): Promise<void> {
    const probe = `clipswap_probe_${randomBytes(8).toString('hex')}`;
    const over = new AbortController();
    const heard = new Promise<void>((resolve) => {
      client.on('notification', ({ channel }) => channel === probe && resolve());
    });
    await client.query(`listen ${probe}`);
    await sql`select pg_notify(${probe}, '')`.execute(db);
    const signal = AbortSignal.any([over.signal, closing.signal]);
    const timeout = sleep(withinMs, 'late', { signal }).catch(() => {});
    const outcome = await Promise.race([heard, timeout]);
    over.abort();
    if (closing.signal.aborted) return;
    await client.query(outcome === 'late' ? 'unlisten *' : `unlisten ${probe}`);
    if (outcome === 'late') throw new NotHeard();
  }

  /** Listens until the connection breaks. @param onReady called once every new event is received */
  async function listen(onReady: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: readAddress(url).address,
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
      client.on(
        'notification',
        ({ channel, payload }) => channel === CHANNEL && payload && void hear(payload),
      );
      await client.query(`listen ${CHANNEL}`);
      await hearProbe(client);
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

  /** Keeps the connection open; resolves when it is open for the first time, or could not be opened. */
  function start(): Promise<void> {
    return new Promise((resolve) => {
      const keepUp = async () => {
        let wait = RECONNECT_MS.first;
        while (!closing.signal.aborted) {
          let pause = wait;
          try {
            await listen(() => {
              wait = RECONNECT_MS.first;
              isPolling = false;
              resolve();
              void whenReadable().then(() => tellAll({ kind: 'resync' }));
            });
          } catch (error) {
            if (closing.signal.aborted) break;
            if (error instanceof NotHeard) pause = UNHEARD_MS;
            if (!isPolling) {
              isPolling = true;
              log.warn({ err: error }, 'live events cannot be heard: browsers poll instead');
              tellAll({ kind: 'polling' });
            }
            resolve();
          }
          await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
          wait = Math.min(wait * 2, RECONNECT_MS.most);
        }
        resolve();
      };
      void keepUp();
    });
  }

  function open(): Promise<void> {
    listening ??= start();
    return listening;
  }

  const follow: LiveEvents['follow'] = ({ userId, ip }, signal) => {
    const over = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const queue: LiveEvent[] = [];
    let wake = () => {};
    const follower: Follower = {
      push(event) {
        if (event.kind === 'polling' || event.kind === 'resync') queue.splice(0, queue.length, event);
        else if (queue.length >= QUEUE_MAX) queue.splice(0, queue.length, { kind: 'resync' });
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
        await Promise.race([open().then(whenReadable), once(over)]);
        if (queue.length === 0) queue.push({ kind: isPolling ? 'polling' : 'resync' });
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
    open,
    isPolling: () => isPolling,
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
