import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';

/** The texts on receipts and statements, which are made when they are read. */

/** What has moved since a sale, on the seller's receipts, by the kind of journal: when the total rises, and when it falls. */
export const SELLER_MOVEMENTS = {
  capture: { rise: () => t`Sale`, fall: () => t`Sale corrected` },
  provider_fee: {
    rise: () => t`Fee of the payment provider`,
    fall: () => t`Fee returned by the payment provider`,
  },
  refund: { rise: () => t`Refunded to the buyer`, fall: () => t`Refund failed` },
  withdrawal: { rise: () => t`Disputed by the buyer’s bank`, fall: () => t`Dispute ended` },
  loss: { rise: () => t`Taken back by the buyer’s bank`, fall: () => t`Returned by the buyer’s bank` },
  payout: { rise: () => t`Paid out to you`, fall: () => t`Payout came back` },
  payout_reversal: { rise: () => t`Payout taken back`, fall: () => t`Payout paid again` },
  offset: { rise: () => t`Withheld for what you owed`, fall: () => t`Covered by another payout` },
  collection: {
    rise: () => t`Taken from your account by PayPal`,
    fall: () => t`Returned to your account by PayPal`,
  },
  write_off: { rise: () => t`No longer owed`, fall: () => t`Owed again` },
  award: { rise: () => t`Awarded to the buyer by a claim`, fall: () => t`Award taken back` },
};

/** The same on the buyer's receipts, which show no other journals. */
export const BUYER_MOVEMENTS = {
  refund: { rise: () => t`Refunded to you`, fall: () => t`Refund failed` },
  withdrawal: {
    rise: () => t`Taken back by your bank`,
    fall: () => t`Returned to ${{ market: marketName() }} by your bank`,
  },
};
