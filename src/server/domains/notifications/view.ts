import type { Notification, TransactionLog } from '#contract/notifications.ts';
import type { LogRow, NotificationRow } from './store.ts';

/** A notification, for the person it was written to. */
export function toNotification(row: NotificationRow): Notification {
  return { ...row, createdAt: row.createdAt.toISOString() };
}

/** A line of history, for the person in whose history it stands, with the deal it tells of as it now is. */
export function toTransactionLog(row: LogRow): TransactionLog {
  const { exchangeStatus, requestedCoupon, offeredCoupon, createdAt, ...rest } = row;
  const { bidStatus, bidAmount, bidCoupon, ...line } = rest;
  return {
    ...line,
    createdAt: createdAt.toISOString(),
    exchange: exchangeStatus && { status: exchangeStatus, requestedCoupon, offeredCoupon },
    bid:
      bidStatus === null || bidAmount === null
        ? null
        : { status: bidStatus, amount: bidAmount, coupon: bidCoupon },
  };
}
