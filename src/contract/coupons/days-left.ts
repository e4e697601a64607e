const DAY_MS = 86_400_000;

/**
 * Days left of a coupon: 1 on its last day, 0 or less when it has expired. Whatever counts them counts them here, or in SQL
 * by `hasAtMostDaysLeft`.
 * @param expiresAt the last millisecond of its last day
 */
export function daysLeft(expiresAt: string | Date, now: Date): number {
  return Math.floor((new Date(expiresAt).getTime() - now.getTime()) / DAY_MS) + 1;
}
