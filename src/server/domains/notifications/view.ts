import type { Notification, TransactionLog } from '#contract/notifications.ts';
import type { LogRow, NotificationRow } from './store.ts';

/** A notification, for the person it was written to. */
export function toNotification(row: NotificationRow): Notification {
  return { ...row, createdAt: row.createdAt.toISOString() };
}

/** A line of history, for the person in whose history it stands, with the exchange it tells of as it now is. */
export function toTransactionLog(row: LogRow): TransactionLog {
  const { exchangeStatus: status, requestedCoupon, offeredCoupon, createdAt, ...line } = row;
  return {
    ...line,
    createdAt: createdAt.toISOString(),
    exchange: status === null ? null : { status, requestedCoupon, offeredCoupon },
  };
}
