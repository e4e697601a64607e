import { trpc } from '#web/lib/trpc.ts';

/** Whether the viewer can be paid. Apart from the other queries, which Home does not need. */
export function useSellerReadiness(isAsked: boolean) {
  return trpc.sellers.readiness.useQuery(undefined, { enabled: isAsked });
}
