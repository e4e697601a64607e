import { MERCHANT_MAX } from '#contract/coupons.ts';
import { OFFERS_PER_MERCHANT } from '#contract/discover.ts';
import { defineAddress, keyed, pageNumber, searchText } from '#web/lib/address.ts';

/** Which merchants are listed, which one is open (by default the first), and which page of its offers. */
export const DISCOVER_ADDRESS = defineAddress({
  search: keyed('q', searchText(MERCHANT_MAX)),
  merchant: searchText(MERCHANT_MAX),
  page: pageNumber(OFFERS_PER_MERCHANT),
});
