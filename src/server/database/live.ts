import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import {
  type LiveEvents,
  type LiveSignal,
  RESYNC_ALL,
  readSignals,
  type SignalBroker,
} from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import { type Database, inTransaction, LIVE_CHANNEL, type Trx } from './client.ts';
import { createLiveLines } from './live-lines.ts';
import { readAddress } from './sessions.ts';

const RECONNECT_MS = { first: 100, most: 1_000 };
/** The pause before listening again where nothing was heard. Each try may leave a LISTEN in a pooler. */
const UNHEARD_MS = 60_000;
/** How often the connection is checked, and how long an answer may take. It can break without an event. */
const PULSE_MS = 5_000;

/**
 * Signals open browsers once the caller's transaction commits; a rollback sends nothing. Equal signals of one transaction
 * are sent once.
 */
export async function announce(db: Database | Trx, signals: readonly LiveSignal[]): Promise<void> {
  if ('signals' in db) db.signals.push(...signals);
  else await inTransaction(db, (trx) => announce(trx, signals));
}

const UNHEARD = {
  alone: 'live events cannot be heard: browsers poll instead',
  broker: 'live events cannot be heard in the database: some are missed while a process cannot reach Redis',
};

/** LISTEN succeeded but nothing arrived, as behind a pooler in transaction mode. */
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
  /** The program's database, through which it announces events. */
  readonly db: Database;
  readonly log: Logger;
  /** Resolves when everything written until now can be read from a replica, too. */
  readonly readable?: (() => Promise<void>) | undefined;
  /** How long an event may take to be heard. */
  readonly withinMs?: number;
  /** Carries events. The database carries those that it does not take. */
  readonly broker?: SignalBroker | undefined;
}

/**
 * Opens the live events of this process. One connection, opened by `open` or for the first follower, listens for all
 * followers and reconnects when it breaks. With a broker, the process listens to both. While it cannot hear others,
 * followers are told to poll.
 */
export function openLiveEvents(options: LiveOptions): LiveEvents {
  const { url, db, log, readable, withinMs = PULSE_MS, broker } = options;
  const closing = new AbortController();
  let opened: Promise<unknown> | undefined;
  let current: pg.Client | undefined;
  /** Undefined before the first try. */
  let isDatabaseHeard: boolean | undefined;
  let isPolling = false;

  /** The event that makes browsers read everything again. */
  const everything = () => ({ kind: isPolling ? ('polling' as const) : ('resync' as const) });
  const lines = createLiveLines(everything);
  const whenReadable = async () => readable?.();

  async function resyncAll(): Promise<void> {
    await whenReadable();
    lines.tellAll(everything());
  }

  /**
   * While we do not hear the broker, we miss events of others even if we hear the database, so our browsers poll. While we
   * only miss the database, we miss events of processes that cannot reach the broker, and their browsers poll.
   */
  function noteHearing(): void {
    const wasPolling = isPolling;
    isPolling = broker ? !broker.isHeard() : isDatabaseHeard === false;
    if (isPolling && !wasPolling) lines.tellAll(everything());
  }
  const held: LiveSignal[] = [];
  let isHolding = false;

  /** Tells browsers of events once they can read the changes. */
  async function hear(payload: string): Promise<void> {
    if (payload === RESYNC_ALL) return resyncAll();
    let signals: LiveSignal[];
    try {
      signals = readSignals(payload);
    } catch (error) {
      // It came from a process of another release, so nobody here knows what has changed.
      log.warn({ err: error }, 'an unknown live event was heard');
      return resyncAll();
    }
    const ours = signals.filter(({ userId }) => lines.has(userId));
    if (!readable) return ours.forEach(lines.tell);
    held.push(...ours);
    if (isHolding) return;
    isHolding = true;
    while (held.length > 0) {
      const batch = held.splice(0);
      await whenReadable();
      for (const each of batch) lines.tell(each);
    }
    isHolding = false;
  }

  /** Announces a probe and waits to hear it. A pooler may prevent that without an error. @throws NotHeard */
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
        // While closing, we end the connection ourselves.
        if (!closing.signal.aborted) log.warn({ err: error }, 'the live line was lost');
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
        ({ channel, payload }) => channel === LIVE_CHANNEL && payload && void hear(payload),
      );
      await client.query(`listen ${LIVE_CHANNEL}`);
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
              isDatabaseHeard = true;
              noteHearing();
              resolve();
              void resyncAll();
            });
          } catch (error) {
            if (closing.signal.aborted) break;
            if (error instanceof NotHeard) pause = UNHEARD_MS;
            if (isDatabaseHeard !== false) log.warn({ err: error }, UNHEARD[broker ? 'broker' : 'alone']);
            isDatabaseHeard = false;
            noteHearing();
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

  broker?.listen({
    hear: (text) => void hear(text),
    onHeard() {
      noteHearing();
      void resyncAll();
    },
    onLost: noteHearing,
  });

  async function open(): Promise<void> {
    opened ??= Promise.all([start(), broker?.open().then(noteHearing)]);
    await opened;
  }

  const follow: LiveEvents['follow'] = (listener) => {
    const line = lines.open(listener);
    if (closing.signal.aborted) line.end();
    else
      void open()
        .then(whenReadable)
        .then(() => line.start(everything()));
    return line;
  };

  return {
    open,
    transport: () => (isPolling ? 'polling' : broker ? 'redis' : 'database'),
    follow,
    count: lines.count,
    async close() {
      closing.abort();
      lines.endAll();
      if (current) hangUp(current);
    },
  };
}

/** Ends a connection at once. An orderly end would wait for an answer on a dead line. */
function hangUp(client: pg.Client): void {
  client.connection.stream.destroy();
}
