import { useQuery } from '@tanstack/react-query';
import { openStripe, type StripeSettings } from './stripe-script.ts';

/** Stripe, loaded once for all screens; `refetch` really tries again. Not asked for while there are no settings. */
export function useStripe(settings: StripeSettings | null) {
  return useQuery({
    queryKey: ['stripe', settings],
    queryFn: () => (settings ? openStripe(settings) : null),
    enabled: settings !== null,
    retry: false,
    // Not data that grows old or is compared, but a program.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    // Without a network it fails, where the default would wait for one in silence.
    networkMode: 'always',
  });
}
