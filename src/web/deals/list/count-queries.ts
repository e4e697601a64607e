import { trpc } from '#web/lib/trpc.ts';

/** How many deals wait for the viewer; undefined while it loads, and for visitors. */
export function useDealCount(isMember: boolean): number | undefined {
  const { data } = trpc.deals.count.useQuery(undefined, { enabled: isMember });
  return isMember ? data?.yours : undefined;
}
