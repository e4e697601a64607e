import { useEffect } from 'react';
import type { PaymentProviderName, SellerBadge } from '#contract/sellers.ts';
import { trpc } from '#web/lib/trpc.ts';

/** How often, and how many times, a provider is polled after a seller comes back from it. */
const POLL_MS = 5_000;
const POLLS = 12;

/** Polls, because a provider's status may lag behind what the seller has just done on its pages. */
function pollWhile(isAwaited: boolean) {
  return ({ state }: { state: { data?: { badge: SellerBadge } | undefined; dataUpdateCount: number } }) =>
    isAwaited && state.data?.badge !== 'active' && state.dataUpdateCount <= POLLS ? POLL_MS : false;
}

/**
 * The viewer's accounts, refetched from the providers on every focus: people come back here from the providers' pages.
 * @param awaited the provider whose pages the viewer has just come back from
 */
export function useSellerAccounts(awaited: PaymentProviderName | null) {
  const utils = trpc.useUtils();
  const always = { staleTime: 0, refetchOnWindowFocus: 'always' } as const;
  const stripe = trpc.sellers.accountStatus.useQuery(undefined, {
    ...always,
    refetchInterval: pollWhile(awaited === 'stripe'),
  });
  const paypal = trpc.sellers.paypalStatus.useQuery(undefined, {
    ...always,
    refetchInterval: pollWhile(awaited === 'paypal'),
  });
  const isReady = stripe.data?.badge === 'active' || paypal.data?.badge === 'active';
  useEffect(() => {
    // The home page's banner then needs no request.
    if (isReady) utils.sellers.readiness.setData(undefined, { isReady, isAvailable: true });
  }, [isReady, utils]);
  return { stripe, paypal };
}

/** What the viewer owes as a seller. */
export function useSellerDebts() {
  return trpc.payments.debts.useQuery();
}

/** Makes a link to Stripe's pages, which works once. */
export function useCreateStripeLink() {
  return trpc.sellers.createAccountLink.useMutation();
}

/** Makes a link to PayPal's pages. */
export function useCreatePaypalLink() {
  return trpc.sellers.createPaypalOnboardingLink.useMutation();
}
