import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '#server/core/errors.ts';
import type { Logger } from '#server/core/log.ts';
import type { Replica } from '#server/core/replica.ts';
import { createDatabase, type Database, type DatabaseHandle, databaseOver } from './client.ts';
import { type Connection, type ConnectionPool, LATER_MS, type TimeLimits } from './connections.ts';
import { withStatementLimit } from './time-budget.ts';

/** Limits in milliseconds. They are shorter than the primary's, so that a request has time left to ask the primary. */
const LIMITS: TimeLimits = {
  connectionTimeoutMillis: 1_000,
  statement_timeout: 2_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

const CHECK_MS = 1_000;
/** The longest pause between checks of a replica that cannot be reached. */
const CHECK_MOST_MS = 10_000;
/** How often a replica is asked whether it has a write that somebody is about to be told of. */
const CATCH_UP_MS = 20;
/** How many marks are kept. Only the oldest one counts. */
const MARKS_MAX = 1_000;

const bytes = (position: string) => `pg_wal_lsn_diff(${position}, '0/0')::bigint`;
/** With asynchronous commits, the written part of the log may not be flushed yet. */
const WRITTEN = {
  name: 'replica-written',
  text: `select ${bytes('pg_current_wal_insert_lsn()')} as position`,
};
/** Replicas are sent what is flushed. The name of a file of the log begins with the timeline, in hexadecimals. */
const PRIMARY = `select ${bytes('pg_current_wal_insert_lsn()')} as position,
  ${bytes('pg_current_wal_flush_lsn()')} as flushed, system_identifier::text as system,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer as timeline
  from pg_control_system()`;
const NOTE_TIMELINE = 'insert into timelines (system, timeline) values ($1, $2) on conflict do nothing';
/** The timeline that a replica reports may be minutes old. The row that the primary has noted counts. */
const REPLICA = `select pg_is_in_recovery() as "isReplica", ${bytes('pg_last_wal_replay_lsn()')} as replayed,
  system_identifier::text as system,
  (select max(timeline) from timelines where system = system_identifier::text) as timeline from pg_control_system()`;

/**
 * The log that a position belongs to. A promotion begins a timeline, in which the log of the new primary reaches the same
 * positions as the old one with other content.
 */
interface Line {
  readonly system: string;
  readonly timeline: number;
}

interface PrimaryRow extends Line {
  readonly position: number;
  readonly flushed: number;
}

interface ReplicaRow {
  readonly system: string;
  /** Null when it has none of this server. */
  readonly timeline: number | null;
  readonly isReplica: boolean;
  /** Null when it has replayed nothing. */
  readonly replayed: number | null;
}

/** The end of the primary's flushed log at a time of `performance.now()`. */
interface Mark {
  readonly at: number;
  readonly flushed: number;
}

interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly prepares?: boolean | undefined;
  readonly primary: DatabaseHandle;
  /** A replica that has lacked something for longer is left out. */
  readonly maxLagMs: number;
  readonly log: Logger;
  /** How often it is checked. */
  readonly everyMs?: number;
  readonly limits?: TimeLimits;
}

/**
 * Opens a replica for reads. It is left out as soon as a read finds it broken or a check finds that it is too far behind,
 * follows another database or is a primary itself; and taken back when it has been well for one interval.
 *
 * While the primary does not answer, a replica that has everything known of it stays in use.
 */
export function openReplica(options: ReplicaOptions): Replica<Database> {
  const { url, poolSize, prepares, primary, maxLagMs, log, everyMs = CHECK_MS, limits = LIMITS } = options;
  const { pool } = createDatabase({ url, poolSize, prepares, limits, isReplica: true, log });
  const closing = new AbortController();
  /** Positions that the primary had and the replica has not reached, oldest first. */
  const lacking: Mark[] = [];
  let line: Line | undefined;
  /** Whether it has reached the primary's position of a check once. Before that, nobody knows how far behind it is. */
  let hasCaughtUp = false;
  let position = 0;
  let replayed = 0;
  let isUsed = false;
  let wellSince: number | undefined;
  let reason = '';
  let failedReads = 0;
  let looking: Promise<boolean> | undefined;
  let watching: Promise<void> | undefined;

  const lagMs = () => (lacking[0] ? performance.now() - lacking[0].at : 0);

  function leaveOut(error: unknown): void {
    isUsed = false;
    wellSince = undefined;
    const found = reasonOf(error);
    if (found === reason) return;
    reason = found;
    log.warn(
      { reason, lagSeconds: lagMs() / 1_000 },
      'the replica is left out: lists are read from the primary',
    );
  }

  /** Forgets what was known of another log. */
  async function follow({ system, timeline }: Line): Promise<void> {
    if (line) leaveOut(new Error('the primary is another one'));
    line = undefined;
    lacking.length = 0;
    hasCaughtUp = false;
    replayed = 0;
    await primary.pool.query(NOTE_TIMELINE, [system, timeline]);
    line = { system, timeline };
  }

  function noteWell(): void {
    if (!hasCaughtUp) return;
    const now = performance.now();
    wellSince ??= now;
    if (isUsed || now - wellSince < everyMs) return;
    isUsed = true;
    reason = '';
    log.info('lists are read from the replica');
  }

  /** @throws Error that says why the replica cannot be used */
  function judge(row: ReplicaRow, flushed: number | undefined): void {
    if (line === undefined) throw new Error('the primary has not answered yet');
    if (row.system !== line.system) throw new Error('it is a copy of another database');
    if (!row.isReplica) throw new Error('it is no replica');
    if (row.timeline !== line.timeline) throw new Error('it is not on the timeline of the primary');
    const before = replayed;
    replayed = row.replayed ?? 0;
    while (lacking[0] && lacking[0].flushed <= replayed) {
      lacking.shift();
      hasCaughtUp = true;
    }
    if (flushed !== undefined && flushed < before) throw new Error('it has what the primary does not have');
    if (lagMs() > maxLagMs) throw new Error('it is too far behind');
  }

  /** @returns whether the replica has answered */
  async function look(): Promise<boolean> {
    const at = performance.now();
    const [ofPrimary, ofReplica] = await Promise.allSettled([
      askOne<PrimaryRow>(primary.pool, PRIMARY),
      askOne<ReplicaRow>(pool, REPLICA),
    ]);
    const known = ofPrimary.status === 'fulfilled' ? ofPrimary.value : undefined;
    try {
      if (known) {
        ({ position } = known);
        if (known.system !== line?.system || known.timeline !== line.timeline) await follow(known);
        if (lacking.length >= MARKS_MAX) lacking.pop();
        lacking.push({ at, flushed: known.flushed });
      }
      if (ofReplica.status === 'rejected') throw ofReplica.reason;
      judge(ofReplica.value, known?.flushed);
      noteWell();
    } catch (error) {
      leaveOut(error);
    }
    return ofReplica.status === 'fulfilled';
  }

  /** Checks the replica. Callers at the same time share one check. */
  function check(): Promise<boolean> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function watch(): Promise<void> {
    let pause = everyMs;
    while (!closing.signal.aborted) {
      pause = (await check()) ? everyMs : Math.min(pause * 2, Math.max(everyMs, CHECK_MOST_MS));
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const query: Connection['query'] = async (statement, values) => {
    try {
      // This does not use the request's time, which waiting for a busy primary uses up as well.
      return await withStatementLimit(limits.statement_timeout + LATER_MS, () =>
        pool.query<never>(statement, values),
      );
    } catch (error) {
      failedReads += 1;
      // It may lack a migration, or cancel a read to keep up. Only a broken connection shows that it is not well.
      if (isBroken(error)) {
        leaveOut(error);
        void check();
      }
      return primary.pool.query<never>(statement, values);
    }
  };
  const reads = databaseOver({
    connect: async () => ({
      query,
      begin: () => Promise.reject(new Error('A replica is for reads without transactions')),
      release() {},
    }),
  });

  return {
    async open() {
      const first = check();
      watching ??= watch();
      await first;
    },
    readsFor: (written) => (isUsed && (written ?? 0) <= replayed ? reads : primary.db),
    async position() {
      const { rows } = await primary.pool.query<{ position: number }>(WRITTEN);
      return rows[0]?.position ?? 0;
    },
    async caughtUp() {
      if (!isUsed) return;
      const until = performance.now() + maxLagMs;
      // The check under way may have begun too early.
      await looking;
      await check();
      const wanted = position;
      while (isUsed && replayed < wanted && performance.now() < until && !closing.signal.aborted) {
        await sleep(CATCH_UP_MS);
        await check();
      }
    },
    state: () => ({ isUsed, lagSeconds: lagMs() / 1_000, failedReads }),
    async close() {
      closing.abort();
      isUsed = false;
      await watching;
      await looking;
      await pool.end();
    },
  };
}

async function askOne<Row extends pg.QueryResultRow>(
  pool: Pick<ConnectionPool, 'query'>,
  text: string,
): Promise<Row> {
  const { rows } = await pool.query<Row>(text);
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

/** Whether the server could not be asked, as opposed to a server that refused one read. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return !(error.cause instanceof pg.DatabaseError) || error.cause.severity === 'FATAL';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
