import { useEffect, useState } from 'react';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '#contract/sellers.ts';
import { defineAddress, oneOf, useAddress } from '#web/lib/address.ts';

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
