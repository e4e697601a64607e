import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type PaymentProviderName, paymentProviderSchema } from '#contract/sellers.ts';
import { without } from '#web/lib/use-opener.ts';

/** Why a provider has sent the viewer here. */
export interface ProviderReturn {
  readonly provider: PaymentProviderName;
  /** refresh: its link had run out. */
  readonly kind: 'returned' | 'refresh';
}

const KINDS = ['returned', 'refresh'] as const;

function read(params: URLSearchParams): ProviderReturn | null {
  for (const kind of KINDS) {
    const provider = paymentProviderSchema.safeParse(params.get(kind));
    if (provider.success) return { kind, provider: provider.data };
  }
  return null;
}

/** Whether the viewer comes back from a provider (`?returned=stripe`). The address forgets it, so that a reload does. */
export function useReturn(): ProviderReturn | null {
  const [params, setParams] = useSearchParams();
  const [found, setFound] = useState(() => read(params));
  useEffect(() => {
    if (!KINDS.some((kind) => params.has(kind))) return;
    const next = read(params);
    if (next) setFound(next);
    setParams((now) => without(without(now, 'returned'), 'refresh'), { replace: true });
  }, [params, setParams]);
  return found;
}
