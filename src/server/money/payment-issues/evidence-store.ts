import type { Database } from '#server/database/client.ts';

/** Messages and views in an evidence text. */
const LINES_MAX = 50;

/** The buyer of a sale, its coupon and when it changed hands; undefined if it was never paid. */
export async function findSale(db: Database, paymentId: number) {
  return db
    .selectFrom('paymentTransactions as payment')
    .innerJoin('bids', 'bids.id', 'payment.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'payment.senderId')
    .leftJoin('claims as claim', 'claim.paidBidId', 'payment.bidId')
    .select(['payment.paidAt', 'coupons.id as couponId', 'coupons.merchant'])
    .select(['buyer.createdAt as buyerSince', 'buyer.emailVerifiedAt', 'buyer.termsAcceptedAt'])
    .select(['claim.reason', 'claim.note', 'claim.status as claimStatus', 'claim.createdAt as claimedAt'])
    .select(({ selectFrom }) =>
      selectFrom('couponTransfers')
        .select('couponTransfers.createdAt')
        .whereRef('couponTransfers.couponId', '=', 'bids.couponId')
        .where(({ or, eb, ref }) =>
          or([
            eb('couponTransfers.bidId', '=', ref('bids.id')),
            eb('couponTransfers.exchangeId', '=', ref('bids.exchangeId')),
          ]),
        )
        .orderBy('couponTransfers.id')
        .limit(1)
        .as('deliveredAt'),
    )
    .where('payment.id', '=', paymentId)
    .where('payment.paidAt', 'is not', null)
    .executeTakeFirst();
}

/** The hashes of every code that a coupon has had, with the merchant of that time. */
export async function listCodes(
  db: Database,
  couponId: number,
): Promise<{ merchant: string; codeHash: string | null }[]> {
  return db
    .selectFrom('coupons')
    .select(['merchant', 'codeHash'])
    .where('id', '=', couponId)
    .unionAll(
      db.selectFrom('couponEarlierCodes').select(['merchant', 'codeHash']).where('couponId', '=', couponId),
    )
    .execute();
}

/** A person's first views of a code since `since`, the oldest first. */
export async function listViews(
  db: Database,
  given: { couponId: number; userId: number; since: Date },
): Promise<{ revealedAt: Date; address: string | null; userAgent: string | null }[]> {
  return db
    .selectFrom('couponReveals')
    .select(['revealedAt', 'address', 'userAgent'])
    .where('couponId', '=', given.couponId)
    .where('userId', '=', given.userId)
    .where('revealedAt', '>=', given.since)
    .orderBy('id')
    .limit(LINES_MAX)
    .execute();
}

/** The first messages of a bid, the oldest first. */
export async function listMessages(db: Database, bidId: number) {
  return db
    .selectFrom('messages')
    .innerJoin('users as sender', 'sender.id', 'messages.senderId')
    .select(['messages.createdAt', 'sender.username', 'messages.content'])
    .where('messages.bidId', '=', bidId)
    .orderBy('messages.id')
    .limit(LINES_MAX)
    .execute();
}
