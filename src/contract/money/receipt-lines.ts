import { t } from '@lingui/core/macro';
import { currencyName } from '#contract/base/base-currency.ts';
import { companyFacts } from '#contract/base/company.ts';
import { utcDayAndTime } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { rateText } from './fees.ts';
import type { PaymentStatus } from './payments.ts';
import type { Receipt, ReceiptKind } from './receipts.ts';

/** The words of a receipt or fee statement, for the page and for the mail. */

export const RECEIPT_TITLES: Record<ReceiptKind, () => string> = {
  receipt: () => t`Receipt`,
  statement: () => t`Fee statement`,
};

const STATES: Partial<Record<PaymentStatus, () => string>> = {
  held: () => t`Paid; the seller’s money is held`,
  releasing: () => t`Final; the payout is on its way`,
  completed: () => t`Final; the seller has been paid`,
  refunding: () => t`The buyer’s refund is on its way`,
  refunded: () => t`Undone; the buyer was refunded`,
  charged_back: () => t`Undone; the buyer’s bank took the money back`,
};

/** 'Nov 21, 2026, 14:05 UTC'. */
export function utcText(instant: string): string {
  const [day, time] = utcDayAndTime(instant);
  return t`${day}, ${time} UTC`;
}

/** 'Stripe, visa card ending in 4242'. */
function paidThrough({ provider, card }: Receipt): string {
  const name = PROVIDER_NAMES[provider];
  return card === null ? name : t`${name}, ${card.brand} card ending in ${card.lastFour}`;
}

/** The state of the sale. */
function stateText({ status, isDisputed }: Receipt): string {
  return isDisputed ? t`Disputed by the buyer’s bank` : (STATES[status]?.() ?? t`In progress`);
}

/** What was sold, by whom, to whom. @param dateText writes the instant of the payment */
export function receiptFacts(receipt: Receipt, dateText = utcText) {
  return [
    { name: t`Number`, value: receipt.number },
    { name: t`Date`, value: dateText(receipt.paidAt) },
    { name: t`Buyer`, value: receipt.buyerUsername },
    { name: t`Seller`, value: receipt.sellerUsername },
    { name: t`Coupon`, value: `${receipt.couponTitle}, ${receipt.merchant}` },
    ...(receipt.exchangeId === null ? [] : [{ name: t`For`, value: differenceText(receipt) }]),
    { name: t`Paid through`, value: paidThrough(receipt) },
    { name: t`State`, value: stateText(receipt) },
    ...companyFacts(),
  ];
}

/** 'Exchange with Theo, difference in value' */
function differenceText({ kind, buyerUsername, sellerUsername }: Receipt): string {
  return t`Exchange with ${kind === 'receipt' ? sellerUsername : buyerUsername}, difference in value`;
}

/** The price, the fee and their total, as signed decimals. */
export function receiptAmounts(receipt: Receipt) {
  const isReceipt = receipt.kind === 'receipt';
  return [
    { name: isReceipt ? t`Price` : t`Sale`, amount: receipt.amount },
    { name: t`Fee (${rateText(receipt.feeRate)})`, amount: isReceipt ? receipt.fee : `-${receipt.fee}` },
    { name: isReceipt ? t`You paid` : t`Your share`, amount: receipt.total, isTotal: true },
  ];
}

/** The small print. */
export function receiptNote({ sellerUsername }: Receipt): string {
  return t`All amounts are in ${{ currency: currencyName() }}. ${{ market: marketName() }} runs the marketplace; the coupon was sold by ${sellerUsername}.`;
}
