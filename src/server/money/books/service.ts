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
export { coveredPayments, coverFromReserve, keepReserve, reserveFor } from './reserve.ts';
export { sumReserve } from './reserve-store.ts';
