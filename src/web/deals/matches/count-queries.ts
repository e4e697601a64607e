import { trpc } from '#web/lib/trpc.ts';

/** How many open matches the viewer has; undefined while it loads, and for visitors. */
export function useMatchCount(isMember: boolean): number | undefined {
  const { data } = trpc.matches.count.useQuery(undefined, { enabled: isMember });
  return isMember ? data?.open : undefined;
}
