import { keepPreviousData } from '@tanstack/react-query';
import { defineAddress, keyed, oneOf, openedId, pageRef, searchText } from '#contract/address.ts';
import type { Exchange, ExchangeTab } from '#contract/exchanges.ts';
import { EXCHANGE_TABS } from '#contract/exchanges.ts';
import type { PageRef } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { joinPages, usePageInputs } from '#web/lib/growing-list.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Rows on one page of the list. */
export const PAGE_SIZE = 10;
/** Own coupons read at a time by the chooser. */
const CHOOSER_SIZE = 24;

/** One page of the viewer's exchanges. The page before stays on screen while the next one loads. */
export function useExchanges({ tab, search, page }: { tab: ExchangeTab; search: string; page: PageRef }) {
  return trpc.exchanges.list.useQuery(
    { tab, search: search || undefined, page, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}

/** One exchange, refetched whenever it is opened, because people decide on it. */
export function useExchange(id: number | null, known?: Exchange) {
  return trpc.exchanges.byId.useQuery(
    { id: id ?? 0 },
    { enabled: id !== null, placeholderData: known, staleTime: 0, retry: false },
  );
}

/**
 * Coupons for a swap, one more page with each `showMore`.
 * @param ownerId null: the viewer's own
 */
export function useChoices(ownerId: number | null, search: string, isAsked: boolean) {
  const { inputs, showMore } = usePageInputs(search, CHOOSER_SIZE);
  const queries = trpc.useQueries((t) =>
    inputs.map((input) =>
      ownerId === null
        ? t.coupons.mine(input, { enabled: isAsked })
        : t.coupons.askable({ ...input, userId: ownerId }, { enabled: isAsked }),
    ),
  );
  const isLoaded = queries.every(({ data }) => data !== undefined);
  return { ...joinPages(queries, CHOOSER_SIZE), isLoaded, showMore };
}

/** The text for a failed change: the server's reason after a conflict, else a general one. */
export function updateErrorText(error: unknown): string {
  const { updateFailed } = TEXTS.exchanges;
  return isConflict(error) ? writeErrorText(error, updateFailed) : updateFailed;
}

/** The list's tab, search and page, and the open exchange. */
export const EXCHANGES_ADDRESS = defineAddress({
  tab: oneOf(EXCHANGE_TABS),
  search: keyed('q', searchText()),
  page: pageRef,
  openId: keyed('exchange', openedId),
});

export type ExchangesAddress = ReturnType<typeof EXCHANGES_ADDRESS.read>;
