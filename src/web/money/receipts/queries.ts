import { keepPreviousData } from '@tanstack/react-query';
import type { ReceiptKind } from '#contract/money/receipts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** The caller's receipt of a sale; admins choose which one. */
export function useReceipt(paymentId: number, kind: ReceiptKind | null) {
  return trpc.payments.receipt.useQuery({ paymentId, ...(kind && { kind }) });
}

export function useSellerStatement(month: string) {
  return trpc.payments.sellerStatement.useQuery({ month }, { placeholderData: keepPreviousData });
}

/** The first lines of a statement; the CSV file has all. */
export function useSellerStatementRows(month: string) {
  return trpc.payments.sellerStatementRows.useQuery(
    { month, limit: 500 },
    { placeholderData: keepPreviousData },
  );
}
