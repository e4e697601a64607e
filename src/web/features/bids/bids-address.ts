import { defineAddress, keyed, oneOf, openedId } from '#web/lib/address.ts';

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
export type BidsTab = 'placed' | 'received';

/** Which list, its page number apart, and which bid is open. */
export const BIDS_ADDRESS = defineAddress({
  tab: oneOf<BidsTab>(['placed', 'received']),
  show: oneOf(['all', 'open']),
  openId: keyed('bid', openedId),
});
