import { trpc } from '#web/lib/trpc.ts';

/**
 * Asks for a verdict on a code. Nothing keeps code or answer once nobody shows them. What its programme says of a
 * listed coupon marks that coupon, which is then read anew.
 */
export function useValidate() {
  const utils = trpc.useUtils();
  return trpc.coupons.validate.useMutation({
    gcTime: 0,
    onSuccess: ({ details }, { couponId }) => {
      if (!couponId || !details.confirmed) return;
      void utils.coupons.byId.invalidate({ id: couponId });
      void utils.coupons.list.invalidate();
    },
  });
}

/** Reads the codes off an uploaded picture. */
export function useExtractCode() {
  return trpc.images.extractCode.useMutation({ gcTime: 0 });
}
