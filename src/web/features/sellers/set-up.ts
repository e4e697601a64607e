import { useEffect, useState } from 'react';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { TEXTS } from '#contract/texts.ts';
import { defineAddress, oneOf, useAddress } from '#web/lib/address.ts';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useCreatePaypalLink, useCreateStripeLink } from './queries.ts';

/** The way to a provider's pages. */
export interface SetUp {
  readonly start: () => void;
  readonly isPending: boolean;
  /** A link to press, where the browser has not let a window open. */
  readonly blockedUrl: string | null;
}

const TRY_AGAIN = 'Please try again in a moment.';

function sayFailed(error: unknown) {
  toasts.failure(TEXTS.sellers.onboardingFailed, writeErrorText(error, TRY_AGAIN));
}

/** Goes to Stripe's pages in this window. */
export function useStripeSetUp(): SetUp {
  const create = useCreateStripeLink();
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    // The browser's Back may bring this very page to life again.
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
      onError: sayFailed,
    });
  return { start, isPending: create.isPending || isLeaving, blockedUrl: null };
}

/** Opens PayPal's pages in a new window. */
export function usePaypalSetUp(): SetUp {
  const create = useCreatePaypalLink();
  const [blockedUrl, setBlockedUrl] = useState<string | null>(null);
  const start = () => {
    setBlockedUrl(null);
    // Opened by the press itself: a window that opens only after the answer is taken for an advertisement.
    const opened = window.open('about:blank', '_blank');
    if (opened) opened.opener = null;
    create.mutate(undefined, {
      onSuccess: ({ onboardingUrl }) => {
        if (opened && !opened.closed) opened.location.replace(onboardingUrl);
        else setBlockedUrl(onboardingUrl);
      },
      onError: (error) => {
        opened?.close();
        sayFailed(error);
      },
    });
  };
  return { start, isPending: create.isPending, blockedUrl };
}

/** Why a provider has sent the viewer here. */
export interface ProviderReturn {
  readonly provider: PaymentProviderName;
  /** refresh: its link had run out. */
  readonly kind: 'returned' | 'refresh';
}

const PROVIDER = oneOf([null, ...PAYMENT_PROVIDERS]);
const ADDRESS = defineAddress({ returned: PROVIDER, refresh: PROVIDER });

/** Whether the viewer comes back from a provider (`?returned=stripe`). The address forgets it, so that a reload does. */
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
