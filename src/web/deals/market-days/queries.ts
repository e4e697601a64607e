import { trpc } from '#web/lib/trpc.ts';

/** The next market day; null where there is none. */
export function useMarketDay() {
  return trpc.marketDays.now.useQuery();
}

/** What the viewer has agreed to; with `isNeeded` false it is not asked for. */
export function useConsents(isNeeded = true) {
  return trpc.marketDays.consents.useQuery(undefined, { enabled: isNeeded });
}
