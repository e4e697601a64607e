const DAY_MS = 86_400_000;

/**
 * Days left of a coupon: 1 on its last day, 0 or less when it has expired. Whatever counts them counts them here, or in SQL
 * by `hasAtMostDaysLeft`.
 * @param expiresAt the last millisecond of its last day
 */
export function daysLeft(expiresAt: string | Date, now: Date): number {
  return Math.floor((new Date(expiresAt).getTime() - now.getTime()) / DAY_MS) + 1;
}

/** Whether the last day of a coupon has ended. @param expiresAt null for one without a last day */
export function isExpired({ expiresAt }: { expiresAt: string | Date | null }, now = new Date()): boolean {
  return expiresAt !== null && daysLeft(expiresAt, now) <= 0;
}
