/** A coupon and its neighbours of the page that its owner listed at once. */
export interface Listing<Listed> {
  readonly coupon: Listed;
  /** Shown on a press. */
  readonly more: readonly Listed[];
}

/** What is listed at once has at most this between one coupon and the next: an import, or a sheet that is typed in. */
const AT_ONCE_MS = 10 * 60_000;
/** Fewer than this are not worth a press. */
const MORE_MIN = 2;

/** A coupon by itself. */
export const alone = <Listed>(coupon: Listed): Listing<Listed> => ({ coupon, more: [] });

/**
 * Puts neighbours that one person has listed at once behind the newest of them.
 * @param coupons of a page, the newest first
 */
export function listedTogether<Listed extends { readonly ownerId: number; readonly createdAt: string }>(
  coupons: readonly Listed[],
): Listing<Listed>[] {
  const runs: Listed[][] = [];
  for (const coupon of coupons) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isNext =
      before?.ownerId === coupon.ownerId &&
      Date.parse(before.createdAt) - Date.parse(coupon.createdAt) <= AT_ONCE_MS;
    if (run && isNext) run.push(coupon);
    else runs.push([coupon]);
  }
  return runs.flatMap((run) => {
    const [coupon, ...more] = run;
    return coupon && more.length >= MORE_MIN ? [{ coupon, more }] : run.map((each) => alone(each));
  });
}
