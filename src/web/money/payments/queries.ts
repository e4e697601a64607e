import { useQuery } from '@tanstack/react-query';
import { useUncheckedCodes } from '#web/coupons/codes/unchecked-codes.ts';
import { trpc } from '#web/lib/trpc.ts';

/**
 * Fetches only when the checkout opens. A webhook may complete the bid while the buyer waits for the provider's
 * answer; after a refetch the page would say that the bid cannot be paid.
 */
const ONCE_PER_VISIT = {
  staleTime: 'static',
  gcTime: 0,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** The bid that is about to be paid. Has a key of its own, because live events refetch `bids.byId`. */
export function usePaidBid(bidId: number) {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: ['paid-bid', bidId],
    queryFn: () => client.bids.byId.query({ id: bidId }),
    ...ONCE_PER_VISIT,
  });
}

/** The cost of the bid and the providers that can take the payment. Refused if it cannot be paid (spec/2 section 5). */
export function useCheckout(bidId: number) {
  return trpc.payments.checkout.useQuery({ bidId }, ONCE_PER_VISIT);
}

/** The payment for Stripe's form, created when the form is shown. */
export function usePreparedIntent(bidId: number) {
  const { client } = trpc.useUtils();
  const unchecked = useUncheckedCodes();
  return useQuery({
    queryKey: ['prepared-intent', bidId],
    queryFn: () => {
      const input = { bidId, keepCard: false, ...unchecked.acknowledged(bidId) };
      return client.payments.createIntent.mutate(input).catch((error: unknown) => {
        unchecked.note(error, bidId);
        throw error;
      });
    },
    ...ONCE_PER_VISIT,
  });
}
