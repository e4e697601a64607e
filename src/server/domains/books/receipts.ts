import { centsToDecimal, decimalToCents, moneyText, signedDecimal } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { PAPER_TITLES, paperAmounts, paperFacts, paperNote } from '#contract/paper-lines.ts';
import type { Paper, PaperInput, PaperKind } from '#contract/papers.ts';
import { notFound } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import { feeRatesOf } from '../bids/service.ts';
import type { MemberContext } from '../context.ts';
import type { MailedPaper } from '../notifications/service.ts';
import { BUYER_MOVEMENTS, SELLER_MOVEMENTS } from '../notifications/texts/money.ts';
import type { JournalKind } from './rules.ts';
import * as store from './store.ts';

const BUYER_TEXTS: Partial<Record<JournalKind, { readonly rise: string; readonly fall: string }>> =
  BUYER_MOVEMENTS;

/** The name of a journal on a seller's papers. @param isRise whether its total rises */
export function sellerText(kind: JournalKind, isRise: boolean): string {
  const { rise, fall } = SELLER_MOVEMENTS[kind];
  return isRise ? rise : fall;
}

/** 'R-000042', 'S-000042'. */
export function paperNumber(kind: PaperKind, paymentId: number): string {
  return `${kind === 'receipt' ? 'R' : 'S'}-${String(paymentId).padStart(6, '0')}`;
}

/**
 * The receipt of a paid sale for its buyer, the fee statement for its seller; admins choose.
 * @throws AppError not_found, also for others and while it is not paid
 */
export async function paperOf(ctx: MemberContext, { paymentId, kind: wanted }: PaperInput): Promise<Paper> {
  const sale = await store.findSale(ctx.db, paymentId);
  const kind = sale && kindFor(ctx, sale, wanted);
  if (!sale || !kind) throw notFound('Receipt');
  return toPaper(sale, kind, await store.listMovements(ctx.db, paymentId));
}

/** The papers that a sale's mails carry, one for each party. */
export async function papersToMail(trx: Trx, paymentId: number): Promise<Record<PaperKind, MailedPaper>> {
  const sale = await store.findSale(trx, paymentId);
  if (!sale) throw new Error(`Payment ${paymentId} has no paper: it is not paid`);
  const movements = await store.listMovements(trx, paymentId);
  return {
    receipt: mailed(toPaper(sale, 'receipt', movements)),
    statement: mailed(toPaper(sale, 'statement', movements)),
  };
}

function mailed(paper: Paper): MailedPaper {
  const amounts = paperAmounts(paper).map(({ name, amount }) => ({ name, value: moneyText(amount) }));
  return {
    title: PAPER_TITLES[paper.kind],
    lines: [...paperFacts(paper), ...amounts],
    note: paperNote(paper),
    link: paths.salePaper(paper.paymentId),
  };
}

function kindFor({ actor }: MemberContext, sale: store.SaleRow, wanted?: PaperKind): PaperKind | null {
  if (actor.id === sale.senderId) return 'receipt';
  if (actor.id === sale.receiverId) return 'statement';
  return actor.role === 'admin' ? (wanted ?? 'receipt') : null;
}

function toPaper(sale: store.SaleRow, kind: PaperKind, movements: readonly store.Movement[]): Paper {
  const isReceipt = kind === 'receipt';
  const rates = feeRatesOf(sale);
  const { brand, lastFour } = sale;
  const lines = movements.map(({ id, kind: journal, isRise, at, paidBack, seller }) => ({
    id,
    at: at.toISOString(),
    texts: isReceipt ? BUYER_TEXTS[journal] : journal === 'capture' ? undefined : SELLER_MOVEMENTS[journal],
    isRise,
    cents: isReceipt ? paidBack : seller,
  }));
  return {
    kind,
    number: paperNumber(kind, sale.id),
    paymentId: sale.id,
    bidId: sale.bidId,
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
        : [{ id, at, text: isRise ? texts.rise : texts.fall, amount: signedDecimal(cents) }],
    ),
  };
}
