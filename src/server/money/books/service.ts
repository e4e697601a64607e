export { bookDeposit, readDepositTotals, sumDepositJournals } from './deposits-store.ts';
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
export { coveredPayments, coverFromReserve, keepReserve, reserveFor } from './reserve.ts';
export { addUpWeeks, sumAllWeeks, sumWeeks } from './weekly-sums-store.ts';
