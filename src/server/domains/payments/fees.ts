import type { WeeklyFees, WeeklyFeesInput } from '#contract/operations.ts';
import type {
  AdminStats,
  FeeLog,
  FeeRows,
  FeeRowsInput,
  ListPlatformFeesInput,
  PlatformFee,
} from '#contract/payments.ts';
import type { Page } from '#contract/primitives.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import type { Paging } from '#server/database/paging.ts';
import type { MemberContext } from '../context.ts';
import { feesEarned } from '../ledger/service.ts';
import * as store from './fees-store.ts';

const PERIOD_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;

/** What the marketplace earns, from the ledger. */
export async function adminStats(ctx: MemberContext): Promise<AdminStats> {
  const [platformFees, processedTransactions] = await Promise.all([
    feesEarned(ctx),
    store.countProcessed(ctx.db),
  ]);
  return { platformFees, processedTransactions, feeRates: ctx.config.feeRates };
}

/** What is kept of the fees of paid sales, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listPlatformFees(
  ctx: MemberContext,
  { period, ...paging }: ListPlatformFeesInput,
): Promise<Page<PlatformFee>> {
  const { rows, ...page } = await store.listFees(ctx.db, sinceOf(ctx, period), paging);
  return { items: rows.map(toPlatformFee), ...page };
}

/** Fees for an export, in portions of up to 1,000. `nextCursor` leads to the next portion and is null at the end. */
export async function feeRows(ctx: MemberContext, { period, ...paging }: FeeRowsInput): Promise<FeeRows> {
  const { rows, nextCursor } = await store.readFees(ctx.db, sinceOf(ctx, period), paging);
  return { items: rows.map(toPlatformFee), nextCursor };
}

/** Sales and kept fees of the last `weeks` weeks including this one, oldest first, with empty weeks. */
export async function weeklyFees(ctx: MemberContext, { weeks }: WeeklyFeesInput): Promise<WeeklyFees[]> {
  const last = mondayOf(ctx.clock());
  return store.sumWeeks(ctx.db, { first: utcDay(addDays(last, -7 * (weeks - 1))), last: utcDay(last) });
}

/** The Monday of this week, UTC. */
function mondayOf(at: Date): Date {
  return addDays(at, -((at.getUTCDay() + 6) % 7));
}

/** The start of a period; null for all time. */
function sinceOf(ctx: MemberContext, period: ListPlatformFeesInput['period']): Date | null {
  return period === 'all' ? null : addDays(ctx.clock(), -PERIOD_DAYS[period]);
}

function toPlatformFee({ paidAt, ...row }: store.FeeRow): PlatformFee {
  return { ...row, createdAt: paidAt.toISOString() };
}

/** The history of payments and refunds. @throws AppError bad_input on `page` beyond the counted rows */
export async function listFeeLogs(ctx: MemberContext, paging: Paging): Promise<Page<FeeLog>> {
  const { rows, ...page } = await store.listFeeLogs(ctx.db, paging);
  const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { items, ...page };
}
