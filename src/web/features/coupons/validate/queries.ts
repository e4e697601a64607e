import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';

/**
 * Asks for a verdict on a code. Nothing keeps code or answer once nobody shows them. What its programme says of a
 * listed coupon marks that coupon, which is then refetched.
 */
export function useValidate() {
  const refresh = useRefresh();
  return trpc.coupons.validate.useMutation({
    gcTime: 0,
    onSuccess: ({ details }, { couponId }) => {
      if (couponId && details.confirmed) void refresh(['coupons.byId', { id: couponId }], 'coupons.list');
    },
  });
}

/** Reads the codes off an uploaded picture. */
export function useExtractCode() {
  return trpc.images.extractCode.useMutation({ gcTime: 0 });
}
