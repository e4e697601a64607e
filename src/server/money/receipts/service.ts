import { t } from '@lingui/core/macro';
import { centsToDecimal, decimalToCents, signedDecimal } from '#contract/base/money.ts';
import type { Receipt, ReceiptInput, ReceiptKind } from '#contract/money/receipts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { feeRatesOf } from '#server/deals/bids/service.ts';
import type { JournalKind } from '#server/money/books/rules.ts';
import { BUYER_MOVEMENTS, SELLER_MOVEMENTS } from '#server/texts/receipts.ts';
import * as store from './store.ts';

const BUYER_TEXTS: Partial<Record<JournalKind, Record<'rise' | 'fall', () => string>>> = BUYER_MOVEMENTS;

/** `cover` and `reserve` move nothing of the seller's, so they are on no receipt. */
const SELLER_TEXTS: Partial<Record<JournalKind, Record<'rise' | 'fall', () => string>>> = SELLER_MOVEMENTS;

/** The name of a journal on a seller's receipts. @param isRise whether its total rises */
export function sellerText(kind: JournalKind, isRise: boolean): string {
  const texts = SELLER_TEXTS[kind];
  if (!texts) throw new Error(`The journal ${kind} is not on receipts`);
  return isRise ? texts.rise() : texts.fall();
}

/** 'R-000042', 'S-000042'. */
export function receiptNumber(kind: ReceiptKind, paymentId: number): string {
  return `${kind === 'receipt' ? 'R' : 'S'}-${String(paymentId).padStart(6, '0')}`;
}

/**
 * The receipt of a paid sale for its buyer, the fee statement for its seller; admins choose.
 * @throws AppError not_found, also for others and while it is not paid
 */
export async function receiptOf(
  ctx: MemberContext,
  { paymentId, kind: wanted }: ReceiptInput,
): Promise<Receipt> {
  const sale = await store.findSale(ctx.db, paymentId);
  const kind = sale && kindFor(ctx, sale, wanted);
  if (!sale || !kind) throw notFound(t`Receipt not found`);
  return toReceipt(sale, kind, await store.listMovements(ctx.db, paymentId));
}

/** The receipts that a sale's mails carry, one for each party. */
export async function receiptsToMail(trx: Trx, paymentId: number): Promise<Record<ReceiptKind, Receipt>> {
  const sale = await store.findSale(trx, paymentId);
  if (!sale) throw new Error(`Payment ${paymentId} has no receipt: it is not paid`);
  // A mail shows none of what has moved since.
  return {
    receipt: toReceipt(sale, 'receipt', []),
    statement: toReceipt(sale, 'statement', []),
  };
}

function kindFor({ actor }: MemberContext, sale: store.SaleRow, wanted?: ReceiptKind): ReceiptKind | null {
  if (actor.id === sale.senderId) return 'receipt';
  if (actor.id === sale.receiverId) return 'statement';
  return actor.role === 'admin' ? (wanted ?? 'receipt') : null;
}

function toReceipt(sale: store.SaleRow, kind: ReceiptKind, movements: readonly store.Movement[]): Receipt {
  const isReceipt = kind === 'receipt';
  const rates = feeRatesOf(sale);
  const { brand, lastFour } = sale;
  const lines = movements.map(({ id, kind: journal, isRise, at, paidBack, seller }) => ({
    id,
    at: at.toISOString(),
    texts: isReceipt ? BUYER_TEXTS[journal] : journal === 'capture' ? undefined : SELLER_TEXTS[journal],
    isRise,
    cents: isReceipt ? paidBack : seller,
  }));
  return {
    kind,
    number: receiptNumber(kind, sale.id),
    paymentId: sale.id,
    bidId: sale.bidId,
    exchangeId: sale.exchangeId,
    paidAt: sale.paidAt.toISOString(),
    buyerUsername: sale.buyerUsername,
    sellerUsername: sale.sellerUsername,
    couponTitle: sale.couponTitle,
    merchant: sale.merchant,
    amount: sale.amount,
    feeRate: isReceipt ? rates.buyer : rates.seller,
    fee: isReceipt ? sale.buyerFee : sale.sellerFee,
    total: isReceipt
      ? centsToDecimal(decimalToCents(sale.amount) + decimalToCents(sale.buyerFee))
      : sale.netAmount,
    provider: sale.provider,
    card: isReceipt && brand !== null && lastFour !== null ? { brand, lastFour } : null,
    status: sale.status,
    isDisputed: sale.isDisputed,
    movements: lines.flatMap(({ id, at, texts, isRise, cents }) =>
      texts === undefined || cents === 0
        ? []
        : [{ id, at, text: isRise ? texts.rise() : texts.fall(), amount: signedDecimal(cents) }],
    ),
  };
}
