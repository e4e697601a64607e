import { trpc } from '#web/lib/trpc.ts';

/** The next market day; null where there is none. */
export function useMarketDay() {
  return trpc.marketDays.now.useQuery();
}

/** What the viewer has agreed to. */
export function useConsents() {
  return trpc.marketDays.consents.useQuery();
}
