export { debtsToKeepBack, listDebts, sellerDebts } from './debts.ts';
export {
  bookOffset,
  bookTotals,
  checkLedger,
  dueToSeller,
  feeShareOf,
  feesEarned,
  NO_TOTALS,
  readTotals,
  readTotalsOf,
  returnedOf,
  shareOfSeller,
  waitingAward,
} from './ledger.ts';
export { receiptNumber, receiptOf, receiptsToMail, sellerText } from './receipts.ts';
export { coveredPayments, coverFromReserve, keepReserve, reserveFor } from './reserve.ts';
export { sumReserve } from './reserve-store.ts';
