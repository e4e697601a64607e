import type { DealRef } from '#contract/deals.ts';
import { idSchema } from '#contract/primitives.ts';

/** Which conversation the address names; null where it names none, 'unknown' where it names what cannot be one. */
export function readDeal(params: URLSearchParams): DealRef | 'unknown' | null {
  for (const dealType of ['exchange', 'bid'] as const) {
    const text = params.get(dealType);
    if (text === null) continue;
    const id = idSchema.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : text);
    return id.success ? { dealType, dealId: id.data } : 'unknown';
  }
  return null;
}
