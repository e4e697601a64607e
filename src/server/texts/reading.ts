import { inLanguage } from '#server/core/language.ts';
import type { Logger } from '#server/core/log.ts';
import { ASSISTANT_TEXTS } from './assistants.ts';
import { BID_TEXTS, COUNTER_BID_TEXTS, ENDED_BID_TEXTS } from './bids.ts';
import { CLAIM_DEADLINE_TEXTS, FINDING_TEXTS, SALE_STOP_TEXTS } from './claims.ts';
import {
  COUPON_HISTORY,
  DAYS_LEFT_TEXTS,
  DEAD_CODE,
  MAILED_TEXTS,
  OLD_CODE,
  PAST_REMINDERS,
  WANT_DIGEST,
  WANT_TEXTS,
} from './coupons.ts';
import { CLAIM_TEXTS, END_REASONS, MATCH_TEXTS, MESSAGE_TEXTS, RATING_TEXTS, WEEKLY_MAIL } from './deals.ts';
import { DEPOSIT_TEXTS } from './deposits.ts';
import { ENDED_EXCHANGE_TEXTS, PRICED_TEXTS, RING_TEXTS, SWAP_TEXTS } from './exchanges.ts';
import { PRICE_TEXTS, RETURNED_PRICE_TEXTS } from './leg-prices.ts';
import { MAIL_SUBJECTS, TEST_PUSH_TEXTS } from './mails.ts';
import { PAYMENT_TEXTS, SELLER_TEXTS } from './money.ts';
import {
  PAYMENT_ISSUES_TEXTS,
  PICTURE_TEXTS,
  REPORT_TEXTS,
  STATUS_TEXTS,
  WAITING_COUPON_TEXTS,
} from './oversight.ts';
import {
  ACCOUNT_HISTORY,
  API_KEY_TEXTS,
  DEFENCE_TEXTS,
  DEVICE_TEXTS,
  IDENTITY_TEXTS,
  NEW_BROWSER_TEXTS,
  PASSKEY_TEXTS,
  SECOND_FACTOR_TEXTS,
  WAY_IN_TEXTS,
  WAYS_IN_TEXTS,
  WEBHOOK_CHANGES,
  WEBHOOK_TEXTS,
} from './people.ts';
import { type StoredText, writerOf } from './stored.ts';

/** All texts that rows may name, by the first part of their kinds. */
export const STORED_TEXTS: Readonly<Record<string, object>> = {
  bid: BID_TEXTS,
  deposit: DEPOSIT_TEXTS,
  counterBid: COUNTER_BID_TEXTS,
  endedBid: ENDED_BID_TEXTS,
  couponHistory: COUPON_HISTORY,
  deadCode: DEAD_CODE,
  oldCode: OLD_CODE,
  mailedCoupons: MAILED_TEXTS,
  daysLeft: DAYS_LEFT_TEXTS,
  reminder: PAST_REMINDERS,
  want: WANT_TEXTS,
  wantDigest: WANT_DIGEST,
  endReason: END_REASONS,
  message: MESSAGE_TEXTS,
  match: MATCH_TEXTS,
  weekly: WEEKLY_MAIL,
  rating: RATING_TEXTS,
  claim: CLAIM_TEXTS,
  priced: PRICED_TEXTS,
  swap: SWAP_TEXTS,
  ring: RING_TEXTS,
  endedExchange: ENDED_EXCHANGE_TEXTS,
  subject: MAIL_SUBJECTS,
  testPush: TEST_PUSH_TEXTS,
  payment: PAYMENT_TEXTS,
  claimDeadline: CLAIM_DEADLINE_TEXTS,
  claimFinding: FINDING_TEXTS,
  saleStop: SALE_STOP_TEXTS,
  seller: SELLER_TEXTS,
  status: STATUS_TEXTS,
  report: REPORT_TEXTS,
  picture: PICTURE_TEXTS,
  waitingCoupon: WAITING_COUPON_TEXTS,
  paymentIssues: PAYMENT_ISSUES_TEXTS,
  secondFactor: SECOND_FACTOR_TEXTS,
  passkey: PASSKEY_TEXTS,
  apiKey: API_KEY_TEXTS,
  assistant: ASSISTANT_TEXTS,
  webhook: WEBHOOK_TEXTS,
  webhookChange: WEBHOOK_CHANGES,
  identity: IDENTITY_TEXTS,
  accountHistory: ACCOUNT_HISTORY,
  wayIn: WAY_IN_TEXTS,
  waysIn: WAYS_IN_TEXTS,
  device: DEVICE_TEXTS,
  newBrowser: NEW_BROWSER_TEXTS,
  defence: DEFENCE_TEXTS,
  price: PRICE_TEXTS,
  returnedPrice: RETURNED_PRICE_TEXTS,
};

function findWriter(kind: string): ReturnType<typeof writerOf> {
  let found: unknown = STORED_TEXTS;
  for (const name of kind.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return writerOf(found);
}

/** A text in the language that is spoken right now. @throws Error where there is no such text (any more) */
export function textOf({ kind, parameters }: StoredText): string {
  const write = findWriter(kind);
  if (!write) throw new Error(`There is no text ${kind}`);
  return write(parameters, textOf);
}

/** A text in English, which is stored beside it: for versions of the program that do not know the text. */
export function englishOf(text: StoredText): string {
  return inLanguage('en', () => textOf(text));
}

/**
 * A stored text for its reader, in the language that is spoken right now.
 * @param text null: it was written before texts were stored by their kinds
 * @param english its words when it was written; they stand in where this version does not know the text, which is logged
 */
export function read({ log }: { readonly log: Logger }, text: unknown, english: string): string {
  if (text === null) return english;
  try {
    return textOf(text as StoredText);
  } catch (error) {
    // A newer version wrote it, or an older one with other parameters. One line must not cost the reader the list.
    log.warn({ err: error, kind: (text as StoredText).kind }, 'a stored text cannot be read');
    return english;
  }
}
