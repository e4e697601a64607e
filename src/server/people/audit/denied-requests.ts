import type { DenialKind } from '#contract/base/errors.ts';
import type { Page } from '#contract/base/primitives.ts';
import {
  DENIED_REQUESTS_KEPT_DAYS,
  type DeniedRequest,
  type DeniedRequestRows,
  type ListDeniedRequestsInput,
} from '#contract/oversight/moderation.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, type Clock } from '#server/core/clock.ts';
import { AppError } from '#server/core/errors.ts';
import type { Logger } from '#server/core/log.ts';
import { addressKey } from '#server/core/rate-limit.ts';
import type { Database } from '#server/database/client.ts';
import * as store from './store.ts';

/** Who was refused, and where. */
interface Refused {
  /** The signed-in person; null: nobody. A refusal that concerns another account names that one. */
  readonly userId: number | null;
  readonly ip: string;
  /** A procedure's name, or a method with a route's pattern. */
  readonly call: string;
}

/** Counts denied requests, so that admins see who tries what. */
export interface DeniedRequests {
  /** Counts `error` if it refuses somebody. Costs no statement: the counts are stored every few seconds. */
  note(error: unknown, refused: Refused): void;
  flush(): Promise<void>;
  /** Stores what is left. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const FLUSH_MS = 5_000;
/** The most rows an hour for accounts, and for addresses; requests beyond that are counted by kind only. */
export const ROWS_PER_HOUR = 500;

/** The kind of a refusal, and its account if that is not the caller's; null for any other error. */
function refusalOf(error: unknown): { kind: DenialKind; userId?: number | undefined } | null {
  if (!(error instanceof AppError)) return null;
  if (error.refused) return error.refused;
  if (error.code === 'forbidden') return { kind: 'forbidden' };
  return error.code === 'rate_limited' ? { kind: 'limit' } : null;
}

export function openDeniedRequests({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): DeniedRequests {
  let waiting = new Map<string, store.DeniedRequestCount>();
  /** The rows of this hour: one that has begun goes on. */
  let seen = { hour: 0, ofAccounts: new Set<string>(), ofAddresses: new Set<string>() };
  let storing: Promise<void> = Promise.resolve();

  function count(key: string, row: store.DeniedRequestCount): void {
    const before = waiting.get(key)?.count ?? 0;
    waiting.set(key, { ...row, count: before + row.count });
  }

  async function storeWaiting(): Promise<void> {
    const rows = waiting;
    waiting = new Map();
    if (rows.size === 0) return;
    try {
      await store.addCounts(db, [...rows.values()]);
    } catch (error) {
      for (const [key, row] of rows) count(key, row);
      log.warn({ err: error, rows: rows.size }, 'denied requests could not be stored; they are kept');
    }
  }

  const flush = () => {
    storing = storing.then(storeWaiting);
    return storing;
  };
  const timer = setInterval(flush, FLUSH_MS).unref();

  return {
    note(error, { userId, ip, call }) {
      const refusal = refusalOf(error);
      if (!refusal) return;
      const { kind } = refusal;
      const lastAt = clock();
      const hour = Math.floor(lastAt.getTime() / HOUR_MS) * HOUR_MS;
      if (hour !== seen.hour) seen = { hour, ofAccounts: new Set(), ofAddresses: new Set() };
      const who = { userId: refusal.userId ?? userId, address: addressKey(ip), call };
      const key = JSON.stringify([hour, kind, who]);
      const known = who.userId === null ? seen.ofAddresses : seen.ofAccounts;
      const common = { hour: new Date(hour), kind, count: 1, lastAt };
      if (known.has(key) || known.size < ROWS_PER_HOUR) {
        known.add(key);
        count(key, { ...common, ...who });
      } else {
        count(JSON.stringify([hour, kind]), { ...common, userId: null, address: '', call: '' });
      }
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** What people were refused in the last 30 days, for admins. */
export async function listDeniedRequests(
  ctx: MemberContext,
  { page, limit, ...filters }: ListDeniedRequestsInput,
): Promise<Page<DeniedRequest>> {
  const { rows, ...rest } = await store.listDeniedRequests(ctx.db, filters, { page, limit });
  return { items: rows.map(toDeniedRequest), ...rest };
}

/** The same for an export, in portions of up to 1,000. */
export async function deniedRequestRows(
  ctx: MemberContext,
  { page, limit, ...filters }: ListDeniedRequestsInput,
): Promise<DeniedRequestRows> {
  const { rows, nextCursor } = await store.readDeniedRequests(ctx.db, filters, { page, limit });
  return { items: rows.map(toDeniedRequest), nextCursor };
}

function toDeniedRequest({ hour, lastAt, ...row }: store.DeniedRequestRow): DeniedRequest {
  return { ...row, hour: hour.toISOString(), lastAt: lastAt.toISOString() };
}

/** Removes old rows; a job calls it. */
export async function removeOldDeniedRequests(ctx: Context): Promise<void> {
  await store.deleteBefore(ctx.db, addDays(ctx.clock(), -DENIED_REQUESTS_KEPT_DAYS));
}

export const forgetDeniedRequestsOf = store.deleteOf;
