import { trpc } from '#web/lib/trpc.ts';

/** The viewer's open matches, the best first. */
export function useMatches() {
  return trpc.matches.list.useQuery();
}

/** What a coupon's page says of matches; null fetches nothing. */
export function useCouponMatches(couponId: number | null) {
  return trpc.matches.forCoupon.useQuery({ couponId: couponId ?? 0 }, { enabled: couponId !== null });
}

export function useDismissMatch() {
  return trpc.matches.dismiss.useMutation();
}

export function useProposeMatch() {
  return trpc.matches.propose.useMutation();
}
