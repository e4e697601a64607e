import { useMutation } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
import { useRef } from 'react';
import type { CouponPayload } from '#contract/coupons/coupons.ts';
import { newClientKey } from '#web/lib/client-key.ts';
import { localTimeZone } from '#web/lib/local-day.ts';
import { trpc } from '#web/lib/trpc.ts';

/**
 * Lists a coupon. Sent again unchanged after a failure, it is listed once: the answer may have been lost. After a
 * success and after `reset` the same input is another coupon.
 */
export function useCreateCoupon() {
  const { client, coupons } = trpc.useUtils();
  const sent = useRef<{ readonly input: string; readonly clientKey: string } | null>(null);
  const mutation = useMutation({
    mutationKey: getMutationKey(trpc.coupons.create),
    mutationFn: (payload: CouponPayload) => {
      const input = JSON.stringify(payload);
      if (sent.current?.input !== input) sent.current = { input, clientKey: newClientKey() };
      return client.coupons.create.mutate({
        ...payload,
        timeZone: localTimeZone(),
        clientKey: sent.current.clientKey,
      });
    },
    onSuccess: (coupon) => {
      sent.current = null;
      coupons.byId.setData({ id: coupon.id }, coupon);
    },
  });
  const reset = () => {
    sent.current = null;
    mutation.reset();
  };
  return { ...mutation, reset };
}
