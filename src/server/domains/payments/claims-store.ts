import { COUNT_CAP } from '#contract/bounds.ts';
import type { ClaimStatus } from '#contract/payments.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

export type ClaimOfPayment = NonNullable<Awaited<ReturnType<typeof findClaimOf>>>;

export async function findClaimOf(trx: Database | Trx, paymentId: number) {
  return trx
    .selectFrom('paymentClaims')
    .select(['id', 'status', 'reason', 'note', 'createdAt'])
    .where('paymentId', '=', paymentId)
    .$narrowType<{ status: ClaimStatus }>()
    .executeTakeFirst();
}

/** @throws a unique violation of payment_claims_payment_id_key on a second claim */
export async function insertClaim(
  trx: Trx,
  { at, ...columns }: { paymentId: number; reason: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('paymentClaims')
    .values({ ...columns, createdAt: at })
    .execute();
}

/** Compare-and-set. @returns false when the claim is no longer open */
export async function endClaim(
  trx: Trx,
  given: {
    paymentId: number;
    status: Exclude<ClaimStatus, 'open'>;
    note: string | null;
    decidedBy: number | null;
    at: Date;
  },
): Promise<boolean> {
  const ended = await trx
    .updateTable('paymentClaims')
    .set({ status: given.status, note: given.note, decidedBy: given.decidedBy, decidedAt: given.at })
    .where('paymentId', '=', given.paymentId)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

function selectClaims(db: Database | Trx) {
  return db
    .selectFrom('paymentClaims')
    .innerJoin('paymentTransactions', 'paymentTransactions.id', 'paymentClaims.paymentId')
    .innerJoin('bids', 'bids.id', 'paymentTransactions.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'paymentTransactions.senderId')
    .innerJoin('users as seller', 'seller.id', 'paymentTransactions.receiverId')
    .select(['paymentClaims.id', 'paymentClaims.paymentId', 'paymentClaims.status', 'paymentClaims.reason'])
    .select(['paymentClaims.note', 'paymentClaims.createdAt', 'paymentClaims.decidedAt'])
    .select(['paymentTransactions.bidId', 'paymentTransactions.amount', 'paymentTransactions.buyerFee'])
    .select(['paymentTransactions.isDisputed', 'coupons.title as couponTitle', 'coupons.merchant'])
    .select(['buyer.id as buyerId', 'buyer.username as buyerUsername'])
    .select(['seller.id as sellerId', 'seller.username as sellerUsername'])
    .$narrowType<{ status: ClaimStatus }>();
}

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof findClaim>>>;

export async function findClaim(db: Database | Trx, id: number) {
  return selectClaims(db).where('paymentClaims.id', '=', id).executeTakeFirst();
}

const OPEN: ListOrder = { name: 'open claims', direction: 'asc', by: [['id', 'integer']] };
const ALL: ListOrder = { name: 'claims', direction: 'desc', by: [['id', 'integer']] };

/** Open claims oldest first, all claims newest first. */
export async function listClaims(db: Database, onlyOpen: boolean, paging: Paging) {
  const page = openPage(paging, onlyOpen ? OPEN : ALL, COUNT_CAP);
  const found = selectClaims(db).$if(onlyOpen, (query) => query.where('paymentClaims.status', '=', 'open'));
  const rows = await page.select(found, 'paymentClaims').execute();
  const counted = db
    .selectFrom('paymentClaims')
    .select('id')
    .$if(onlyOpen, (query) => query.where('status', '=', 'open'));
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** Open claims about sales by PayPal that were paid before an instant, oldest first. @param isNew not yet reminded of */
export async function listLateClaims(
  db: Database,
  { paidBefore, isNew, limit }: { paidBefore: Date; isNew: boolean; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('paymentClaims as claim')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'claim.paymentId')
    .select('claim.paymentId')
    .where('claim.status', '=', 'open')
    .where('payment.provider', '=', 'paypal')
    .where('payment.status', '=', 'held')
    .where('payment.isDisputed', '=', false)
    .where('payment.paidAt', '<=', paidBefore)
    .$if(isNew, (query) => query.where('claim.remindedAt', 'is', null))
    .orderBy('payment.paidAt')
    .limit(limit)
    .execute();
  return rows.map(({ paymentId }) => paymentId);
}

/** Compare-and-set. @returns false when it was done before */
export async function markReminded(trx: Trx, paymentId: number, at: Date): Promise<boolean> {
  const marked = await trx
    .updateTable('paymentClaims')
    .set({ remindedAt: at })
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'open')
    .where('remindedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Those who may decide a claim. @param parties to the sale, who may not */
export async function listDeciders(trx: Trx, parties: readonly number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', 'in', ['moderator', 'admin'])
    .where('status', 'not in', ['suspended', 'banned'])
    .where('deletedAt', 'is', null)
    .where('id', 'not in', parties)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
