export { debtsToKeepBack, listDebts, sellerDebts } from './debts.ts';
export {
  bookOffset,
  bookTotals,
  checkLedger,
  dueToSeller,
  feeShareOf,
  NO_TOTALS,
  readTotals,
  readTotalsOf,
  returnedOf,
  shareOfSeller,
  waitingAward,
} from './ledger.ts';
export { receiptOf, receiptsToMail } from './receipts.ts';
export {
  adminStats,
  feeLogRows,
  feeRows,
  journalRows,
  listFeeLogs,
  listPlatformFees,
  sellerStatement,
  sellerStatementRows,
  weeklyFees,
} from './reports.ts';
export { coveredPayments, coverFromReserve, keepReserve, reserveFor } from './reserve.ts';
