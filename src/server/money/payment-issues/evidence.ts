import { t } from '@lingui/core/macro';
import { baseCurrency } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import type { Evidence } from '#contract/money/payment-issues.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import type { MemberContext } from '#server/context/context.ts';
import type { Vault } from '#server/core/crypto.ts';
import { notFound } from '#server/core/errors.ts';
import { codeFingerprint } from '#server/coupons/core/service.ts';
import { paymentDetails } from '#server/money/payments/service.ts';
import { deviceName } from '#server/people/sessions/service.ts';
import * as store from './evidence-store.ts';

/** The most characters that Stripe takes in a text. */
const TEXT_MAX = 20_000;
/** The words that a code in a message may be spread over. */
const CODE_WORDS = 6;
const CODE_LENGTH_MAX = 200;
const HIDDEN = '[code]';

/** By merchant, the fingerprints of codes. */
type Codes = ReadonlyMap<string, ReadonlySet<string | null>>;

/** A text without the codes that have these fingerprints, however they are spelled. */
function withoutCodes(text: string, vault: Vault, codes: Codes): string {
  // Words at even places, what separates them at odd ones.
  const parts = text.split(/([\s:;,.!?"'“”()<>=]+)/u);
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    let words = at % 2 === 0 && parts[at] !== '' ? CODE_WORDS : 0;
    const isCode = () => {
      const candidate = parts.slice(at, at + 2 * words - 1).join('');
      if (candidate.length > CODE_LENGTH_MAX) return false;
      return [...codes].some(([merchant, hashes]) => hashes.has(codeFingerprint(vault, merchant, candidate)));
    };
    while (words > 0 && !isCode()) words -= 1;
    kept.push(words > 0 ? HIDDEN : (parts[at] ?? ''));
    at += words > 0 ? 2 * words - 2 : 0;
  }
  return kept.join('');
}

/** Somebody's words, a mark before each of their lines: none of them looks like a line of ours, or of anybody else. */
function citation(text: string): string[] {
  const lines = text.replace(/\p{Bidi_Control}/gu, '').split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/u);
  return lines.map((line) => `  > ${line}`);
}

const utc = (at: Date | string | null) =>
  at === null ? '–' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * A text for the answer to a dispute: what was sold, when the buyer looked at the code and from where, claims and
 * messages. It never has the code.
 * @throws AppError not_found, also while it is not paid
 */
export async function evidenceFor(ctx: MemberContext, paymentId: number): Promise<Evidence> {
  const sale = await store.findSale(ctx.db, paymentId);
  if (!sale?.paidAt) throw notFound(t`Payment not found`);
  const file = await paymentDetails(ctx, paymentId);
  const views = await store.listViews(ctx.db, {
    couponId: file.couponId,
    userId: file.buyer.id,
    since: sale.paidAt,
  });
  const messages = await store.listMessages(ctx.db, file.bidId);
  const codes = new Map<string, Set<string | null>>();
  for (const { merchant, codeHash } of await store.listCodes(ctx.db, sale.couponId))
    codes.set(merchant, (codes.get(merchant) ?? new Set()).add(codeHash));
  const clean = (text: string) => withoutCodes(text, ctx.vault, codes);
  const cited = (text: string) => citation(clean(text));
  const viewed = views.map(({ revealedAt, address, userAgent }) => {
    const from = address === null ? '' : `, from ${address}`;
    return `- ${utc(revealedAt)}${from}${userAgent === null ? '' : `, ${deviceName(userAgent)}`}`;
  });
  const lines = [
    `Payment ${paymentId}: evidence`,
    '',
    'What was sold',
    `The code of the coupon ${quote(clean(file.couponTitle))} of ${quote(sale.merchant)}. It is digital and was delivered online.`,
    `Seller: ${file.seller.username}`,
    `Buyer: ${file.buyer.username}, registered ${utc(sale.buyerSince)}, email address confirmed ${utc(sale.emailVerifiedAt)}`,
    `Paid: ${file.captured} ${baseCurrency()} on ${utc(sale.paidAt)}. Refunded: ${file.refunded} ${baseCurrency()}.`,
    '',
    'What the buyer agreed to',
    `The buyer accepted the terms (${ctx.config.publicUrl}${paths.terms}) on ${utc(sale.termsAcceptedAt)}.`,
    `They have ${HOLD_HOURS} hours to try the code. Who says in this time that it does not work gets a decision and, if it is so, all of the money back. Afterwards the sale is final.`,
    '',
    'Delivery',
    `The code was handed to the buyer's account on ${utc(sale.deliveredAt)}.`,
    ...(viewed.length > 0
      ? ['The buyer opened the code:', ...viewed]
      : ['The buyer has not opened the code since.']),
    '',
    'Complaints to us',
    ...(sale.claimedAt === null
      ? ['The buyer has not said to us that the code does not work.']
      : [
          `The buyer said on ${utc(sale.claimedAt)}:`,
          ...cited(sale.reason ?? ''),
          `What became of it: ${sale.claimStatus}.`,
          ...(sale.note === null ? [] : ['A moderator wrote:', ...cited(sale.note)]),
        ]),
    '',
    'Messages between buyer and seller',
    ...(messages.length > 0
      ? messages.flatMap(({ createdAt, username, content }) => [
          `- ${utc(createdAt)} ${username} wrote:`,
          ...cited(content),
        ])
      : ['There are none.']),
  ];
  return { text: lines.join('\n').slice(0, TEXT_MAX), dueAt: file.evidenceDueAt };
}
