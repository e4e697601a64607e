import type { z } from 'zod';
import { FEE_PERCENT } from '#contract/fees.ts';
import type {
  adminStatsSchema,
  feeLogSchema,
  listPlatformFeesInputSchema,
  PlatformFee,
} from '#contract/payments.ts';
import type { Page } from '#contract/primitives.ts';
import { addDays } from '#server/core/clock.ts';
import type { Paging } from '#server/database/paging.ts';
import type { MemberContext } from '../context.ts';
import { feesEarned } from '../ledger/service.ts';
import * as store from './fees-store.ts';

const PERIOD_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;

/** What the marketplace earns, from the ledger: to the cent. */
export async function adminStats(ctx: MemberContext): Promise<z.output<typeof adminStatsSchema>> {
  const [platformFees, processedTransactions] = await Promise.all([
    feesEarned(ctx),
    store.countProcessed(ctx.db),
  ]);
  return { platformFees, processedTransactions, feePercent: FEE_PERCENT };
}

/** The fee of each paid sale, newest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listPlatformFees(
  ctx: MemberContext,
  { period, ...paging }: z.output<typeof listPlatformFeesInputSchema>,
): Promise<Page<PlatformFee>> {
  const since = period === 'all' ? null : addDays(ctx.clock(), -PERIOD_DAYS[period]);
  const { rows, ...counts } = await store.listFees(ctx.db, since, paging);
  const items = rows.map(({ paidAt, ...row }) => ({ ...row, createdAt: paidAt.toISOString() }));
  return { items, ...counts, nextCursor: null };
}

/** The history of money in and out. @throws AppError bad_input on `page` beyond the counted rows */
export async function listFeeLogs(
  ctx: MemberContext,
  paging: Paging,
): Promise<Page<z.output<typeof feeLogSchema>>> {
  const { rows, ...counts } = await store.listFeeLogs(ctx.db, paging);
  const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { items, ...counts, nextCursor: null };
}
