import { EXCHANGE_TABS } from '#contract/exchanges.ts';
import { defineAddress, keyed, oneOf, openedId, pageNumber, searchText } from '#web/lib/address.ts';
import { PAGE_SIZE } from './queries.ts';

/** Which part of the list, and which exchange is open. */
export const EXCHANGES_ADDRESS = defineAddress({
  tab: oneOf(EXCHANGE_TABS),
  search: keyed('q', searchText()),
  page: pageNumber(PAGE_SIZE),
  openId: keyed('exchange', openedId),
});

export type ExchangesAddress = ReturnType<typeof EXCHANGES_ADDRESS.read>;
