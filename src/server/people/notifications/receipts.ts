import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { RECEIPT_TITLES, receiptAmounts, receiptFacts, receiptNote } from '#contract/money/receipt-lines.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import { inLanguage } from '#server/core/language.ts';
import type { MailedReceipt } from './outbox-store.ts';

/** A receipt as a mail shows it, in the language that is spoken right now. */
export function mailedReceipt(receipt: Receipt): MailedReceipt {
  const amounts = receiptAmounts(receipt).map(({ name, amount }) => ({ name, value: moneyText(amount) }));
  return {
    title: RECEIPT_TITLES[receipt.kind](),
    lines: [...receiptFacts(receipt), ...amounts],
    note: receiptNote(receipt),
    link: paths.saleReceipt(receipt.paymentId),
  };
}

/** The same in English, which is stored beside it. */
export function englishReceipt(receipt: Receipt): MailedReceipt {
  return inLanguage('en', () => mailedReceipt(receipt));
}
