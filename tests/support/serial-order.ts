import { sql } from 'kysely';
import { databaseOver } from '#server/database/client.ts';
import type { Connection } from '#server/database/connections.ts';
import type { TestDatabase } from './database.ts';

/*
 * Whether transactions that ran at once did what they would have done one after the other, in any order. Each that writes
 * is recorded with what it read and wrote: owners of coupons, reservations, and balances. An edge from one to another says
 * that it comes first: it wrote what the other read (wr) or wrote again (ww), or read what the other has written since (rw).
 * A circle of edges has no order, so something was decided on what was no longer true.
 */

/** A moment of the record: a number that grows with each statement that is sent or answered. */
type Moment = number;

interface Read {
  /** Such as `owner of coupon 7`. */
  readonly of: string;
  /** What was committed before this moment was seen. */
  readonly from: Moment;
  /** What was committed after this one was not. */
  readonly until: Moment;
}

/** A transaction that has been committed. */
export interface Committed {
  readonly name: string;
  /** The last read of each thing: whoever reads again after taking a lock decides on that. */
  readonly reads: readonly Read[];
  readonly writes: readonly string[];
  /** When its commit was sent, and when it was answered. */
  readonly commit: readonly [sent: Moment, answered: Moment];
}

interface Edge {
  readonly to: Committed;
  readonly why: string;
}

/** What a later write replaces. Amounts are added to balances in any order, so only their reads have one. */
const isReplaced = (thing: string) => !thing.startsWith('balance');

/** Only what is certain is an edge: where a commit and a read overlap, either may have come first. */
function edgesFrom(one: Committed, all: readonly Committed[]): Edge[] {
  return all.flatMap((other) => {
    if (other === one) return [];
    const written = one.writes.flatMap((thing) => {
      const read = other.reads.find(({ of }) => of === thing);
      if (read && one.commit[1] < read.from) return [`wr ${thing}`];
      const isEarlier = other.writes.includes(thing) && one.commit[1] < other.commit[0];
      return isEarlier && isReplaced(thing) ? [`ww ${thing}`] : [];
    });
    const overtaken = one.reads
      .filter(({ of, until }) => other.writes.includes(of) && until < other.commit[0])
      .map(({ of }) => `rw ${of}`);
    return [...written, ...overtaken].slice(0, 1).map((why) => ({ to: other, why }));
  });
}

/** @returns a circle as a text, or null if the transactions have an order */
export function circleOf(all: readonly Committed[]): string | null {
  const done = new Set<Committed>();
  function visit(one: Committed, path: readonly Edge[]): string | null {
    const start = path.findIndex(({ to }) => to === one);
    if (start >= 0 && start < path.length - 1)
      return path.slice(start + 1).reduce((text, { why, to }) => `${text} → ${why} → ${to.name}`, one.name);
    if (done.has(one)) return null;
    for (const edge of edgesFrom(one, all)) {
      const found = visit(edge.to, [...path, edge]);
      if (found !== null) return found;
    }
    done.add(one);
    return null;
  }
  for (const one of all) {
    const found = visit(one, [{ to: one, why: '' }]);
    if (found !== null) return found;
  }
  return null;
}

/** What a statement reads, by its text: whose rows it asks for, or by which ids. */
function thingsRead(text: string, values: readonly unknown[], rows: readonly Record<string, unknown>[]) {
  const asked = values.flatMap((value) => (Array.isArray(value) ? value : []));
  if (/^select [^()]*"owner_id"[^()]* from "coupons"/.test(text))
    return rows.flatMap(({ id, owner_id }) => (owner_id === undefined ? [] : [`owner of coupon ${id}`]));
  if (/^select [^;]* from "coupon_reservations"/.test(text))
    return asked.map((id) => `reservation of coupon ${id}`);
  if (/^select "balance" from "guarantee_reserve"/.test(text)) return ['balance of the reserve'];
  if (/\bfrom ledger_journals where payment_id = any/.test(text))
    return asked.map((id) => `balance of payment ${id}`);
  return [];
}

/** Triggers note what is written, as a statement may name it by a deal alone. */
const NOTE_WRITES = sql`
  create table written (transaction xid8 not null default pg_current_xact_id(), thing text not null);
  create function note_written() returns trigger language plpgsql as $$
  declare changed jsonb := to_jsonb(coalesce(new, old));
  begin
    insert into written (thing) values (tg_argv[0] || coalesce(' ' || (changed ->> tg_argv[1]), ''));
    return null;
  end $$;
  create trigger written after update of owner_id on coupons for each row
    execute function note_written('owner of coupon', 'id');
  create trigger written after insert or delete on coupon_reservations for each row
    execute function note_written('reservation of coupon', 'coupon_id');
  create trigger written after insert on ledger_journals for each row
    execute function note_written('balance of payment', 'payment_id');
  create trigger written after update on guarantee_reserve for each row
    execute function note_written('balance of the reserve');`;

const XID = 'select pg_current_xact_id_if_assigned()::text as id';

/** A test's database that records its transactions. */
export interface RecordedDatabase extends TestDatabase {
  /** Takes what has been recorded since the last time. */
  taken(): Promise<readonly Committed[]>;
}

/**
 * Records what is committed through a database, which must be one that no test uses yet.
 * @param given.sent changes a statement, to plant a fault
 * @param given.answered is waited for after each statement of a transaction
 */
export async function recorded(
  database: TestDatabase,
  given: { sent?: (text: string) => string; answered?: (text: string) => Promise<void> } = {},
): Promise<RecordedDatabase> {
  const { sent: change = (text) => text, answered: meet = async () => {} } = given;
  await NOTE_WRITES.execute(database.db);
  let now: Moment = 0;
  let history: (Omit<Committed, 'writes'> & { readonly id: string })[] = [];

  function record(connection: Connection): Connection {
    let reads: Map<string, Read> | null = null;
    async function commit() {
      const { rows } = await connection.query<{ id: string | null }>(XID);
      const sent = ++now;
      const result = await connection.query<never>('commit');
      const id = rows[0]?.id ?? null;
      if (reads !== null && id !== null)
        history.push({ id, name: `transaction ${id}`, reads: [...reads.values()], commit: [sent, ++now] });
      return result;
    }
    return {
      ...connection,
      async begin(modes) {
        reads = new Map();
        await connection.begin(modes);
      },
      async query<Row>(statement: Parameters<Connection['query']>[0], values: readonly unknown[] = []) {
        const config = typeof statement === 'string' ? { text: statement } : statement;
        if (config.text === 'commit') return commit();
        const text = change(config.text);
        const sent = ++now;
        const result = await connection.query<Row & Record<string, unknown>>({ ...config, text }, values);
        const answered = ++now;
        // A lock is given when what it waited for has been committed.
        const from = /\bfor (no key )?update\b/.test(text) ? answered : sent;
        for (const of of thingsRead(text, values, result.rows)) reads?.set(of, { of, from, until: answered });
        if (reads) await meet(text);
        return result;
      },
    };
  }

  const pool = Object.assign(Object.create(database.pool), {
    connect: async () => record(await database.pool.connect()),
  });
  return {
    ...database,
    pool,
    db: databaseOver(pool),
    async taken() {
      const taken = history;
      history = [];
      const { rows } = await sql<{ id: string; things: string[] }>`
        select transaction::text as id, array_agg(thing) as things from written group by 1`.execute(
        database.db,
      );
      const things = new Map(rows.map((row) => [row.id, row.things]));
      return taken.map((one) => ({ ...one, writes: things.get(one.id) ?? [] }));
    },
  };
}
