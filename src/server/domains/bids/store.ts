import { type Selectable, sql, type Updateable } from 'kysely';
import type { BidRole } from '#contract/bids.ts';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { SaleClaimStatus } from '#contract/claims.ts';
import type { BidReason, DealStatus } from '#contract/deals.ts';
import type { FeeRates } from '#contract/fees.ts';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import type { PaymentStatus, WaitReason } from '#contract/payments.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import type { Standing } from '#contract/standing.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  cappedTotal,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
} from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { picturesOf } from '../claim-pictures.ts';
import { couponSummary } from '../coupon-summary.ts';
import { BID_DEADLINE, holdDeadline } from '../deadlines.ts';

const OPEN = ['pending', 'accepted'] as const;

/** What `feeRatesOf` reads. */
export const FEE_COLUMNS = [
  'bids.buyerFeePercent',
  'bids.buyerFeeMinimum',
  'bids.sellerFeePercent',
  'bids.sellerFeeMinimum',
] as const;

export type FeeColumns = Pick<
  Selectable<DB['bids']>,
  'buyerFeePercent' | 'buyerFeeMinimum' | 'sellerFeePercent' | 'sellerFeeMinimum'
>;

/** The rates that a bid was accepted at. A percentage with two decimals is in hundredths, as cents are. */
export function feeRatesOf(row: FeeColumns): FeeRates {
  const rate = (percent: string, minimum: string) => ({
    basisPoints: decimalToCents(percent),
    minimum: decimalToCents(minimum),
  });
  return {
    buyer: rate(row.buyerFeePercent, row.buyerFeeMinimum),
    seller: rate(row.sellerFeePercent, row.sellerFeeMinimum),
  };
}

/** Sets the rates of a bid that is about to be accepted; the database refuses it afterwards. */
export async function setFeeRates(trx: Trx, id: number, { buyer, seller }: FeeRates): Promise<void> {
  await trx
    .updateTable('bids')
    .set({
      buyerFeePercent: centsToDecimal(buyer.basisPoints),
      buyerFeeMinimum: centsToDecimal(buyer.minimum),
      sellerFeePercent: centsToDecimal(seller.basisPoints),
      sellerFeeMinimum: centsToDecimal(seller.minimum),
    })
    .where('id', '=', id)
    .execute();
}

/** What is booked for a payment, as a decimal string. */
const sumOfJournals = (kind: string) => sql<string>`
  (select coalesce(sum(amount), 0.00)::text from ledger_journals
    where payment_id = payment_transactions.id and kind = ${kind})`;

/** The seller's part of a payment as it stands in the books; null before anything is booked. */
const SELLER_SHARE = sql<string | null>`
  (select (-sum(entry.amount))::text from ledger_journals journal
    join ledger_entries entry on entry.journal_id = journal.id
    join ledger_accounts account on account.id = entry.account_id and account.kind = 'seller_payable'
    where journal.payment_id = payment_transactions.id
      and journal.kind in ('capture', 'provider_fee', 'withdrawal', 'refund', 'loss'))`;

/** The amounts and instants in the form of the API. */
const COUNTERS = sql<{ round: number; from: string; to: string; createdAt: string }[]>`
  (select coalesce(json_agg(json_build_object('round', counter.round, 'from', from_amount::text, 'to', to_amount::text,
      'createdAt', to_char(counter.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by counter.round), '[]')
    from bid_counters as counter where bid_id = bids.id)`;

/** What a bid's other party is told of one, as one JSON column. */
const standingOf = (person: 'bidder' | 'owner') => sql<Standing>`json_build_object(
  'memberSince', ${sql.ref(`${person}.createdAt`)},
  'dealPartners', ${sql.ref(`${person}.dealPartners`)},
  'failedCodes', ${sql.ref(`${person}.failedCodes`)})`;

/** Bids with parties, coupon, the seller's readiness and the latest payment. */
function selectBids(db: Database | Trx) {
  return db
    .selectFrom('bids')
    .innerJoin('users as bidder', 'bidder.id', 'bids.bidderId')
    .innerJoin('users as owner', 'owner.id', 'bids.ownerId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .leftJoinLateral(
      (build) =>
        build
          .selectFrom('paymentTransactions')
          .select(['id', 'status', 'provider', 'isDisputed'])
          .select(holdDeadline('paymentTransactions').as('holdUntil'))
          .select([
            sumOfJournals('refund').as('refunded'),
            sumOfJournals('withdrawal').as('takenByBank'),
            sumOfJournals('offset').as('offset'),
            SELLER_SHARE.as('sellerShare'),
            sql<WaitReason | null>`(select waits_for from payment_acts
              where payment_id = payment_transactions.id and act = 'payout' and done_at is null)`.as(
              'waitsFor',
            ),
          ])
          .whereRef('paymentTransactions.bidId', '=', 'bids.id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('payment'),
      (join) => join.onTrue(),
    )
    .leftJoin('claims as claim', 'claim.paymentId', 'payment.id')
    .select([
      'bids.id',
      'bids.couponId',
      'bids.amount',
      'bids.status',
      'bids.reason',
      'bids.message',
      'bids.isAutomatic',
      'bids.round',
      'bids.counterAmount',
      COUNTERS.as('counters'),
    ])
    .select(['bids.bidderId', 'bidder.username as bidderUsername'])
    .select(['bids.ownerId', 'owner.username as ownerUsername', 'coupons.title as couponTitle'])
    .select([standingOf('bidder').as('bidderStanding'), standingOf('owner').as('ownerStanding')])
    .select(['bids.createdAt', 'bids.updatedAt', 'bids.acceptedAt', 'bids.completedAt'])
    .select(BID_DEADLINE.as('deadlineAt'))
    .select(FEE_COLUMNS)
    .select(couponSummary('coupons').as('coupon'))
    .select(['payment.id as paymentId', 'payment.status as paymentStatus', 'payment.provider'])
    .select(['payment.holdUntil', 'payment.isDisputed', 'payment.refunded', 'payment.takenByBank'])
    .select(['payment.waitsFor', 'payment.offset', 'payment.sellerShare', 'claim.status as claimStatus'])
    .select(['claim.id as claimId', 'claim.answer as claimAnswer'])
    .select([
      picturesOf('claim.id', 'bids.bidderId').as('claimantPictures'),
      picturesOf('claim.id', 'bids.ownerId').as('giverPictures'),
    ])
    .select(['claim.reason as claimReason', 'claim.note as claimNote', 'claim.createdAt as claimedAt'])
    .select(({ exists, selectFrom, eb }) => [
      exists(
        selectFrom('sellerAccounts')
          .select('sellerAccounts.userId')
          .whereRef('sellerAccounts.userId', '=', 'bids.ownerId')
          .where('sellerAccounts.isReady', '=', true),
      ).as('isSellerReady'),
      // The earlier of two equal bids is the highest.
      eb
        .and([
          eb('bids.status', 'in', OPEN),
          eb(
            'bids.id',
            '=',
            selectFrom('bids as rival')
              .select('rival.id')
              .whereRef('rival.couponId', '=', 'bids.couponId')
              .where('rival.status', 'in', OPEN)
              .orderBy('rival.amount', 'desc')
              .orderBy('rival.id')
              .limit(1),
          ),
        ])
        .as('isHighest'),
      sql<boolean>`bids.status = 'pending' and coalesce(bids.amount < coupons.price_floor, false)`.as(
        'isBelowFloor',
      ),
    ])
    .$narrowType<{
      status: DealStatus;
      reason: BidReason | null;
      paymentStatus: PaymentStatus | null;
      provider: PaymentProviderName | null;
      claimStatus: SaleClaimStatus | null;
      isSellerReady: boolean;
      isHighest: boolean;
    }>();
}

export type BidRow = NonNullable<Awaited<ReturnType<typeof findBid>>>;

export async function findBid(db: Database | Trx, id: number) {
  return selectBids(db).where('bids.id', '=', id).executeTakeFirst();
}

/** Locks a bid and returns its state and the amount of its round. Lock its coupon first. */
export async function lockBid(trx: Trx, id: number) {
  return trx
    .selectFrom('bids')
    .select(['status', 'round', 'amount', 'counterAmount'])
    .where('id', '=', id)
    .$narrowType<{ status: DealStatus }>()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Begins the next round of a bid. The database keeps its history, and refuses what is not the next round. */
export async function setRound(
  trx: Trx,
  id: number,
  values: Pick<Updateable<DB['bids']>, 'round' | 'amount' | 'counterAmount' | 'answerBy' | 'updatedAt'>,
): Promise<void> {
  await trx.updateTable('bids').set(values).where('id', '=', id).execute();
}

interface ListFilter {
  readonly userId: number;
  readonly role: BidRole;
  readonly onlyOpen: boolean;
}

const NEWEST: ListOrder = {
  name: 'bids',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};
const BY_COUPON: ListOrder = {
  name: 'received bids',
  direction: 'desc',
  by: [
    ['couponId', 'integer'],
    ['amount', 'numeric'],
    ['id', 'integer'],
  ],
};

function bidsOf(db: Database, side: 'bidderId' | 'ownerId', { userId, onlyOpen }: ListFilter) {
  return db
    .selectFrom('bids')
    .select(['id', 'createdAt', 'couponId', 'amount'])
    .where(side, '=', userId)
    .$if(onlyOpen, (query) => query.where('status', 'in', OPEN));
}

/** The bids up to the end of a page. Nobody is on both sides of a bid, so the two parts share no rows. */
function upTo(db: Database, filter: ListFilter, page: ListPage) {
  // Each part in the order of its index.
  const partOf = (side: 'bidderId' | 'ownerId') => page.upTo(bidsOf(db, side, filter));
  if (filter.role !== 'all') return partOf(`${filter.role}Id`);
  const placed = db.selectFrom(partOf('bidderId').as('placed')).selectAll();
  return placed.unionAll(db.selectFrom(partOf('ownerId').as('received')).selectAll());
}

/**
 * A page of a person's bids: as owner by coupon and then highest first, otherwise newest first. Joins only the rows of
 * the page.
 */
export async function listBids(db: Database, filter: ListFilter, paging: Paging) {
  const order = filter.role === 'owner' ? BY_COUPON : NEWEST;
  const page = openPage(paging, order, COUNT_CAP);
  const shown = page.select(db.selectFrom(upTo(db, filter, page).as('found')).selectAll());
  const bids = selectBids(db).innerJoin(shown.as('shown'), 'shown.id', 'bids.id').select('shown.rowKeys');
  const rows = await page.sort(bids, 'bids').execute();
  const counted = upTo(db, filter, openPage({ page: 1, limit: COUNT_CAP }, order, COUNT_CAP));
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** Who has a coupon, and which deal has reserved it. */
export async function findHolder(trx: Trx, couponId: number) {
  return trx
    .selectFrom('coupons')
    .leftJoin('couponReservations', 'couponReservations.couponId', 'coupons.id')
    .select(['coupons.ownerId', 'couponReservations.bidId'])
    .select(({ eb }) => eb('couponReservations.couponId', 'is not', null).as('isReserved'))
    .where('coupons.id', '=', couponId)
    .where('coupons.deletedAt', 'is', null)
    .executeTakeFirst();
}
