import { rateText } from './fees.ts';
import type { Paper, PaperKind } from './papers.ts';
import type { PaymentStatus } from './payments.ts';
import { PROVIDER_NAMES } from './sellers.ts';

/** The words of a receipt or fee statement, for the page and for the mail. */

export const PAPER_TITLES: Record<PaperKind, string> = { receipt: 'Receipt', statement: 'Fee statement' };

const STATES: Partial<Record<PaymentStatus, string>> = {
  held: 'Paid; the seller’s money is held',
  releasing: 'Final; the payout is on its way',
  completed: 'Final; the seller has been paid',
  refunding: 'A refund is on its way to the buyer',
  refunded: 'Undone; the buyer was refunded',
  charged_back: 'Undone; the buyer’s bank took the money back',
};

/** '2026-11-21 14:05 UTC'. */
export function utcText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** 'Stripe, visa card ending in 4242'. */
function paidThrough({ provider, card }: Paper): string {
  const name = PROVIDER_NAMES[provider];
  return card === null ? name : `${name}, ${card.brand} card ending in ${card.lastFour}`;
}

/** The state of the sale. */
function stateText({ status, isDisputed }: Paper): string {
  return isDisputed ? 'The buyer’s bank questions the payment' : (STATES[status] ?? 'Under way');
}

/** What was sold, by whom, to whom. @param dateText writes the instant of the payment */
export function paperFacts(paper: Paper, dateText = utcText) {
  return [
    { name: 'Number', value: paper.number },
    { name: 'Date', value: dateText(paper.paidAt) },
    { name: 'Buyer', value: paper.buyerUsername },
    { name: 'Seller', value: paper.sellerUsername },
    { name: 'Coupon', value: `${paper.couponTitle}, ${paper.merchant}` },
    { name: 'Paid through', value: paidThrough(paper) },
    { name: 'State', value: stateText(paper) },
  ];
}

/** The price, the fee and their total, as signed decimals. */
export function paperAmounts(paper: Paper) {
  const isReceipt = paper.kind === 'receipt';
  return [
    { name: isReceipt ? 'Price' : 'Sale', amount: paper.amount },
    { name: `Fee (${rateText(paper.feeRate)})`, amount: isReceipt ? paper.fee : `-${paper.fee}` },
    { name: isReceipt ? 'You paid' : 'Your share', amount: paper.total, isTotal: true },
  ];
}

/** The small print. */
export function paperNote({ sellerUsername }: Paper): string {
  return `All amounts are in Canadian dollars. ClipSwap runs the marketplace; the coupon was sold by ${sellerUsername}.`;
}
