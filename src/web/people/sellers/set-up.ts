import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { defineAddress, oneOf } from '#contract/base/address.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { PAYMENT_PROVIDERS, type PaymentProviderName, type SellerBadge } from '#contract/people/sellers.ts';
import { useAddress } from '#web/lib/address.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Opens a provider's set-up pages. */
export interface SetUp {
  readonly start: () => void;
  readonly isPending: boolean;
  /** A link to show if the browser has blocked the window. */
  readonly blockedUrl: string | null;
}

const TRY_AGAIN = t`Please try again in a moment.`;

function showFailure(error: unknown) {
  toasts.failed(error, TEXTS.sellers.onboardingFailed(), TRY_AGAIN);
}

/** Goes to Stripe's pages in this window. */
export function useStripeSetUp(): SetUp {
  const create = trpc.sellers.createAccountLink.useMutation();
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    // The browser's Back may restore this page from its cache.
    const onShow = () => setIsLeaving(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
  const start = () =>
    create.mutate(undefined, {
      onSuccess: ({ url }) => {
        setIsLeaving(true);
        window.location.assign(url);
      },
      onError: showFailure,
    });
  return { start, isPending: create.isPending || isLeaving, blockedUrl: null };
}

/** Opens PayPal's pages in a new window. */
export function usePaypalSetUp(): SetUp {
  const create = trpc.sellers.createPaypalOnboardingLink.useMutation();
  const [blockedUrl, setBlockedUrl] = useState<string | null>(null);
  const start = () => {
    setBlockedUrl(null);
    // Open the window during the click: browsers block one that opens after the answer.
    const opened = window.open('about:blank', '_blank');
    if (opened) opened.opener = null;
    create.mutate(undefined, {
      onSuccess: ({ onboardingUrl }) => {
        if (opened && !opened.closed) opened.location.replace(onboardingUrl);
        else setBlockedUrl(onboardingUrl);
      },
      onError: (error) => {
        opened?.close();
        showFailure(error);
      },
    });
  };
  return { start, isPending: create.isPending, blockedUrl };
}

/** How the viewer came back from a provider. */
export interface ProviderReturn {
  readonly provider: PaymentProviderName;
  /** refresh: the link had expired. */
  readonly kind: 'returned' | 'refresh';
}

const PROVIDER = oneOf([null, ...PAYMENT_PROVIDERS]);
const ADDRESS = defineAddress({ returned: PROVIDER, refresh: PROVIDER });

/** Reads from which provider the viewer comes back (`?returned=stripe`), and removes it from the address. */
export function useReturn(): ProviderReturn | null {
  const [{ returned, refresh }, change] = useAddress(ADDRESS);
  const provider = returned ?? refresh;
  const kind = returned ? 'returned' : 'refresh';
  const [found, setFound] = useState<ProviderReturn | null>(provider && { provider, kind });
  useEffect(() => {
    if (!provider) return;
    setFound({ provider, kind });
    change({ returned: null, refresh: null }, { replace: true });
  }, [provider, kind, change]);
  return found;
}

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
