import { signedDecimal } from '#contract/money.ts';
import type {
  SellerStatement,
  SellerStatementRow,
  SellerStatementRows,
  SellerStatementRowsInput,
} from '#contract/papers.ts';
import type { MemberContext } from '../context.ts';
import type { JournalKind } from '../ledger/service.ts';
import { paperNumber, sellerText } from './papers.ts';
import * as store from './statements-store.ts';

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
    number: paperNumber('statement', row.paymentId),
    sale: isSale ? amount : null,
    fee: isSale ? sellerFee : null,
    amount: signedDecimal(cents),
  };
}
