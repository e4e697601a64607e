import { trpc } from '#web/lib/trpc.ts';

/** What a coupon's page says of matches; null fetches nothing. */
export function useCouponMatches(couponId: number | null) {
  return trpc.matches.forCoupon.useQuery({ couponId: couponId ?? 0 }, { enabled: couponId !== null });
}
