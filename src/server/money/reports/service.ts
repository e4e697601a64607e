import { signedDecimal } from '#contract/base/money.ts';
import type { Page } from '#contract/base/primitives.ts';
import type {
  AdminStats,
  FeeLog,
  FeeLogRows,
  FeeRows,
  FeeRowsInput,
  ListFeeLogsInput,
  ListPlatformFeesInput,
  PlatformFee,
} from '#contract/money/payments.ts';
import type {
  JournalRows,
  JournalRowsInput,
  SellerStatement,
  SellerStatementRow,
  SellerStatementRows,
  SellerStatementRowsInput,
} from '#contract/money/receipts.ts';
import type { WeeklyFees, WeeklyFeesInput } from '#contract/oversight/operations.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import type { JournalKind } from '#server/money/books/rules.ts';
import { sumAllWeeks, sumWeeks } from '#server/money/books/service.ts';
import { receiptNumber, sellerText } from '#server/money/receipts/service.ts';
import { read } from '#server/texts/reading.ts';
import * as store from './store.ts';

type Group = 'sales' | 'providerFees' | 'refunds' | 'payouts' | 'debts';

const GROUPS: Record<JournalKind, Group> = {
  capture: 'sales',
  provider_fee: 'providerFees',
  refund: 'refunds',
  withdrawal: 'refunds',
  loss: 'refunds',
  payout: 'payouts',
  payout_reversal: 'payouts',
  offset: 'debts',
  collection: 'debts',
  write_off: 'debts',
  award: 'refunds',
  // They move nothing of the seller's.
  cover: 'debts',
  reserve: 'debts',
};

/** The caller's balance as a seller in one month (UTC), from the ledger. */
export async function sellerStatement(
  ctx: MemberContext,
  { month }: { month: string },
): Promise<SellerStatement> {
  const given = monthOf(ctx, month);
  const opening = await store.balanceBefore(ctx.db, given.userId, given.from);
  const sums = { sales: 0, providerFees: 0, refunds: 0, payouts: 0, debts: 0 };
  let fees = 0;
  for (const sum of await store.sumMonth(ctx.db, given)) {
    // The ledger books sales without the seller's fee.
    sums[GROUPS[sum.kind]] += sum.cents + sum.fees;
    fees -= sum.fees;
  }
  const closing = opening + sums.sales + fees + sums.providerFees + sums.refunds + sums.payouts + sums.debts;
  return {
    month,
    opening: signedDecimal(opening),
    sales: signedDecimal(sums.sales),
    fees: signedDecimal(fees),
    providerFees: signedDecimal(sums.providerFees),
    refunds: signedDecimal(sums.refunds),
    payouts: signedDecimal(sums.payouts),
    debts: signedDecimal(sums.debts),
    closing: signedDecimal(closing),
  };
}

/** The lines of a statement in portions, oldest first. `nextCursor` leads to the next portion and is null at the end. */
export async function sellerStatementRows(
  ctx: MemberContext,
  { month, ...paging }: SellerStatementRowsInput,
): Promise<SellerStatementRows> {
  const { rows, nextCursor } = await store.readMonth(ctx.db, monthOf(ctx, month), paging);
  return { items: rows.map(toRow), nextCursor };
}

function monthOf({ actor }: MemberContext, month: string): store.SellerMonth {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  return { userId: actor.id, from, to };
}

function toRow({
  kind,
  isRise,
  createdAt,
  amount,
  sellerFee,
  cents,
  ...row
}: store.StatementRow): SellerStatementRow {
  const isSale = kind === 'capture';
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    text: sellerText(kind, isRise),
    number: receiptNumber('statement', row.paymentId),
    sale: isSale ? amount : null,
    fee: isSale ? sellerFee : null,
    amount: signedDecimal(cents),
  };
}

const PERIOD_DAYS = { day: 1, week: 7, month: 30, year: 365 } as const;

/** What the marketplace earns, from the ledger. */
export async function adminStats(ctx: MemberContext): Promise<AdminStats> {
  const { fees, sales, reserve } = await sumAllWeeks(ctx.db);
  return { platformFees: fees, processedTransactions: sales, feeRates: ctx.config.feeRates, reserve };
}

/** What is kept of the fees of paid sales. @throws AppError bad_input on `page` beyond the counted rows */
export async function listPlatformFees(
  ctx: MemberContext,
  { page, limit, ...filters }: ListPlatformFeesInput,
): Promise<Page<PlatformFee>> {
  const since = sinceOf(ctx, filters.period);
  const { rows, ...rest } = await store.listFees(ctx.db, { ...filters, since }, { page, limit });
  return { items: rows.map(toPlatformFee), ...rest };
}

/** Fees for an export, in portions of up to 1,000. `nextCursor` leads to the next portion and is null at the end. */
export async function feeRows(
  ctx: MemberContext,
  { page, limit, ...filters }: FeeRowsInput,
): Promise<FeeRows> {
  const since = sinceOf(ctx, filters.period);
  const { rows, nextCursor } = await store.readFees(ctx.db, { ...filters, since }, { page, limit });
  return { items: rows.map(toPlatformFee), nextCursor };
}

/** Sales and kept fees of the last `weeks` weeks including this one, oldest first, with empty weeks. */
export async function weeklyFees(ctx: MemberContext, { weeks }: WeeklyFeesInput): Promise<WeeklyFees[]> {
  const last = mondayOf(ctx.clock());
  return sumWeeks(ctx.db, { first: utcDay(addDays(last, -7 * (weeks - 1))), last: utcDay(last) });
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
export async function listFeeLogs(
  ctx: MemberContext,
  { page, limit, sort }: ListFeeLogsInput,
): Promise<Page<FeeLog>> {
  const { rows, ...rest } = await store.listFeeLogs(ctx.db, sort, { page, limit });
  return { items: rows.map((row) => toFeeLog(ctx, row)), ...rest };
}

/** The same history for an export, in portions of up to 1,000. */
export async function feeLogRows(
  ctx: MemberContext,
  { page, limit, sort }: ListFeeLogsInput,
): Promise<FeeLogRows> {
  const { rows, nextCursor } = await store.readFeeLogs(ctx.db, sort, { page, limit });
  return { items: rows.map((row) => toFeeLog(ctx, row)), nextCursor };
}

function toFeeLog(ctx: Context, { text, createdAt, ...row }: store.FeeLogRow): FeeLog {
  return { ...row, details: read(ctx, text, row.details), createdAt: createdAt.toISOString() };
}

/**
 * The ledger's entries of some days (UTC), by journal, for an export in portions. `nextCursor` leads to the next portion
 * and is null at the end.
 */
export async function journalRows(
  ctx: MemberContext,
  { from, to, ...paging }: JournalRowsInput,
): Promise<JournalRows> {
  const days = { from: new Date(from), to: addDays(new Date(to), 1) };
  const { rows, nextCursor } = await store.readEntries(ctx.db, days, paging);
  return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), nextCursor };
}
