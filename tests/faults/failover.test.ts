import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import type { Replica } from '#server/core/replica.ts';
import type { Database, DatabaseHandle } from '#server/database/client.ts';
import { openReplica } from '#server/database/replica.ts';
import { connectTo } from '#tests/support/database.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { type FaultProxy, openFaultProxy, through } from './proxy.ts';
import { type Server, type StreamingPair, startStreamingPair } from './streaming.ts';

/** An address that is moved from one server to another. Open connections stay where they are, as behind a balancer. */
interface MovingAddress {
  readonly url: string;
  move(to: Server): void;
  readonly proxy: FaultProxy;
}

const portOf = ({ url }: Server) => Number(new URL(url).port);

async function openAddress(of: Server): Promise<MovingAddress> {
  const target = { port: portOf(of) };
  const proxy = await openFaultProxy(target);
  return {
    url: through(proxy, of.url),
    proxy,
    move(to) {
      target.port = portOf(to);
    },
  };
}

let pair: StreamingPair;
let primaryAddress: MovingAddress;
let replicaAddress: MovingAddress;
let primary: DatabaseHandle;
/** Other connections to the primary, which nobody but the test uses. */
let writer: DatabaseHandle;
let replica: Replica<Database>;
const told: string[] = [];

beforeAll(async () => {
  pair = await startStreamingPair();
  primaryAddress = await openAddress(pair.primary);
  replicaAddress = await openAddress(pair.replica);
  primary = connectTo(primaryAddress, 3);
  writer = connectTo(primaryAddress, 1);
});
afterEach(() => replica.close());
afterAll(async () => {
  await primary.close();
  await writer.close();
  for (const { proxy } of [primaryAddress, replicaAddress]) await proxy.close();
  await pair.close();
});

async function open(): Promise<void> {
  const note = (line: { reason?: string }) => void told.push(line.reason ?? 'used');
  const log = createLogger({ logLevel: 'silent', isProduction: true });
  replica = openReplica({
    url: replicaAddress.url,
    poolSize: 2,
    primary,
    maxLagMs: HANGS_MS,
    everyMs: 25,
    limits: {
      connectionTimeoutMillis: HANGS_MS,
      statement_timeout: HANGS_MS,
      lock_timeout: HANGS_MS,
      idle_in_transaction_session_timeout: HANGS_MS,
    },
    log: { ...log, warn: note, info: note } as unknown as typeof log,
  });
  await replica.open();
}

const isUsed = () => expect.poll(() => replica.state().isUsed);
const answerOf = (statement: string) =>
  sql<{ answer: unknown }>`${sql.raw(statement)}`.execute(writer.db).then(
    ({ rows }) => rows[0]?.answer,
    (error: { code?: string }) => error.code,
  );
const write = () => answerOf('insert into written values (1) returning true as answer');

it('the servers change places: writes reach the new primary, and the old one becomes the replica', async () => {
  await writer.pool.query('create table written (at int)');
  await open();
  await isUsed().toBe(true);
  await pair.primary.follow(pair.replica);
  await pair.replica.ask('select pg_promote()');
  // For a moment, the address still leads to the old one.
  expect(await pair.primary.ask('select pg_is_in_recovery() as answer')).toEqual([{ answer: true }]);
  for (let round = 0; round < 2; round += 1) expect(await write()).toBe('unavailable');
  primaryAddress.move(pair.replica);
  await expect.poll(write).toBe(true);
  await isUsed().toBe(false);
  replicaAddress.move(pair.primary);
  await replicaAddress.proxy.set('cut');
  await replicaAddress.proxy.set('none');
  await isUsed().toBe(true);
});

it('the new primary lacks the last of the log: a replica that has it is not read, however far both get', async () => {
  const [old, next] = [pair.replica, pair.primary];
  await next.follow(null);
  await write();
  await old.ask('create table lost (at int); select pg_switch_wal()');
  await old.follow(null);
  await next.ask('select pg_promote()');
  primaryAddress.move(next);
  replicaAddress.move(old);
  await expect.poll(write).toBe(true);
  await expect.poll(() => answerOf(`select to_regclass('lost')::text as answer`)).toBe(null);
  await open();
  await expect.poll(() => told.at(-1)).toMatch(/timeline/);
  for (let round = 0; round < 3; round += 1) {
    await write();
    await next.ask('select pg_switch_wal()');
  }
  const end = await replica.position();
  const [row] = await old.ask<{ end: number }>(
    `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float as end`,
  );
  expect(end).toBeGreaterThan(row?.end ?? 0);
  await expect.poll(() => told.at(-1)).toBe('it is not on the timeline of the primary');
  expect(replica.state().isUsed).toBe(false);
});
