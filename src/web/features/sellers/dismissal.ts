/** A person's local calendar day, 'YYYY-MM-DD'. */
function dayOf(now: Date): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${now.getFullYear()}-${month}-${day}`;
}

const keyOf = (userId: number) => `clipswap.seller-banner.${userId}`;

/** Whether this person has put the banner away today, in this browser. */
export function isDismissed(userId: number, now: Date): boolean {
  try {
    return window.localStorage.getItem(keyOf(userId)) === dayOf(now);
  } catch {
    // A browser that keeps nothing shows it again.
    return false;
  }
}

/** Puts the banner away until the next calendar day. */
export function dismiss(userId: number, now: Date): void {
  try {
    window.localStorage.setItem(keyOf(userId), dayOf(now));
  } catch {
    // Then it comes back at the next look.
  }
}
