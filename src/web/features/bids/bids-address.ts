import { idSchema } from '#contract/primitives.ts';

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
export type BidsTab = 'placed' | 'received';

/** What the address of the bids page says, its page number apart: which list, and which bid is open. */
export interface BidsAddress {
  readonly tab: BidsTab;
  readonly onlyOpen: boolean;
  /** The open bid; null when none is, 'unknown' when the address names what cannot be one. */
  readonly openId: number | 'unknown' | null;
}

/** Reads the address; whatever makes no sense falls back to the viewer's own bids. */
export function readAddress(params: URLSearchParams): BidsAddress {
  const bid = params.get('bid');
  return {
    tab: params.get('tab') === 'received' ? 'received' : 'placed',
    onlyOpen: params.get('show') === 'open',
    openId: bid === null ? null : (idSchema.safeParse(Number(bid)).data ?? 'unknown'),
  };
}

/** The address after a change. Another list begins at its first page again. */
export function changeAddress(
  params: URLSearchParams,
  change: { tab?: BidsTab; onlyOpen?: boolean; openId?: number | null },
): URLSearchParams {
  const next = new URLSearchParams(params);
  const set = (key: string, value: string | null) => {
    if (value === null) next.delete(key);
    else next.set(key, value);
  };
  if (change.tab !== undefined) set('tab', change.tab === 'received' ? 'received' : null);
  if (change.onlyOpen !== undefined) set('show', change.onlyOpen ? 'open' : null);
  if (change.tab !== undefined || change.onlyOpen !== undefined) next.delete('page');
  if (change.openId !== undefined) set('bid', change.openId === null ? null : String(change.openId));
  return next;
}
