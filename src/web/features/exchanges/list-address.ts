import { EXCHANGE_TABS, type ExchangeTab } from '#contract/exchanges.ts';
import { idSchema, SEARCH_MAX } from '#contract/primitives.ts';

/** What the address of the exchanges page says: which part of the list, and which exchange is open. */
export interface ExchangesAddress {
  tab: ExchangeTab;
  search: string;
  page: number;
  /** The open exchange; null when none is, 'unknown' when the address names what cannot be one. */
  openId: number | 'unknown' | null;
}

/** Reads the address; whatever makes no sense falls back to the whole list. */
export function readAddress(params: URLSearchParams): ExchangesAddress {
  const tab = EXCHANGE_TABS.find((known) => known === params.get('tab')) ?? 'all';
  const page = Number(params.get('page') ?? '1');
  const exchange = params.get('exchange');
  return {
    tab,
    search: (params.get('q') ?? '').trim().slice(0, SEARCH_MAX),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
    openId: exchange === null ? null : readId(exchange),
  };
}

function readId(text: string): number | 'unknown' {
  const id = idSchema.safeParse(/^\d{1,10}$/.test(text) ? Number(text) : text);
  return id.success ? id.data : 'unknown';
}

/** The address after a change. Another tab or search begins at the first page again. */
export function changeAddress(
  params: URLSearchParams,
  change: { tab?: ExchangeTab; search?: string; page?: number; openId?: number | null },
): URLSearchParams {
  const next = new URLSearchParams(params);
  const set = (key: string, value: string, ifNot: string) => {
    if (value === ifNot) next.delete(key);
    else next.set(key, value);
  };
  if (change.tab !== undefined) set('tab', change.tab, 'all');
  if (change.search !== undefined) set('q', change.search, '');
  if (change.tab !== undefined || change.search !== undefined) next.delete('page');
  if (change.page !== undefined) set('page', String(change.page), '1');
  if (change.openId !== undefined) set('exchange', String(change.openId ?? ''), '');
  return next;
}
