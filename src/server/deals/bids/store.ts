import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { BidRole } from '#contract/deals/bids.ts';
import type { BidReason, DealStatus } from '#contract/deals/deals.ts';
import type { Standing } from '#contract/deals/standing.ts';
import type { FeeRates } from '#contract/money/fees.ts';
import { couponSummary, hasCode as hasCodeOf } from '#server/coupons/core/coupon-summary-sql.ts';
import type { DealKey } from '#server/coupons/core/reservations.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  cappedTotal,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
} from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { BID_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';
import type { Terms } from '#server/deals/lifecycle/terms.ts';
import type { Holding, PastBids } from './rules.ts';

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

/** Sets the terms of a bid that is about to be accepted; the database refuses it afterwards. */
export async function setTerms(
  trx: Trx,
  id: number,
  { feeRates: { buyer, seller }, guaranteeDays }: Terms,
): Promise<void> {
  await trx
    .updateTable('bids')
    .set({
      guaranteeDays,
      buyerFeePercent: centsToDecimal(buyer.basisPoints),
      buyerFeeMinimum: centsToDecimal(buyer.minimum),
      sellerFeePercent: centsToDecimal(seller.basisPoints),
      sellerFeeMinimum: centsToDecimal(seller.minimum),
    })
    .where('id', '=', id)
    .execute();
}

/** Whether a coupon has a code to hand over. Lock the coupon first. */
export async function hasCode(trx: Trx, couponId: number): Promise<boolean> {
  const { rows } = await sql<{
    hasCode: boolean;
  }>`select ${hasCodeOf(sql`${couponId}`)} as "hasCode"`.execute(trx);
  return rows[0]?.hasCode === true;
}

/** @throws a unique violation of bids_one_pending on a second pending bid by the same person */
export async function insertBid(trx: Trx, values: Insertable<DB['bids']>): Promise<number> {
  const row = await trx.insertInto('bids').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/**
 * A person's earlier bids, as far as they decide whether the asking price accepts the next one. Other bids of the person at asking
 * prices wait until the transaction ends, so that each of many simultaneous bids counts those before it.
 */
export async function findPast(
  trx: Trx,
  { bidderId, couponId }: { bidderId: number; couponId: number },
): Promise<PastBids> {
  // A statement of its own: the next one sees what was stored while it waited.
  await sql`select pg_advisory_xact_lock(hashtext('clipswap bidder'), ${bidderId})`.execute(trx);
  const { rows } = await sql<PastBids>`
    select count(*) filter (where status = 'accepted' and exchange_id is null)::integer as unpaid,
      coalesce(bool_or(reason = 'deadline' and accepted_at is not null), false) as has_lapsed,
      coalesce(bool_or(reason = 'deadline' and accepted_at is not null and coupon_id = ${couponId}), false)
        as has_lapsed_here,
      exists (select from users where id = ${bidderId} and established_at is null) as is_newcomer
    from bids where bidder_id = ${bidderId}`.execute(trx);
  const [past] = rows;
  if (!past) throw new Error('No answer about the past bids');
  return past;
}

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

/** Bids with parties, coupon and the seller's readiness. */
function selectBids(db: Database | Trx) {
  return db
    .selectFrom('bids')
    .innerJoin('users as bidder', 'bidder.id', 'bids.bidderId')
    .innerJoin('users as owner', 'owner.id', 'bids.ownerId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select([
      'bids.id',
      'bids.couponId',
      'bids.exchangeId',
      'bids.amount',
      'bids.status',
      'bids.reason',
      'bids.message',
      'bids.isAutomatic',
      'bids.round',
      'bids.counterAmount',
      'bids.bidderTerms',
      'bids.ownerTerms',
      COUNTERS.as('counters'),
    ])
    .select(['bids.bidderId', 'bidder.username as bidderUsername'])
    .select(['bids.ownerId', 'owner.username as ownerUsername', 'coupons.title as couponTitle'])
    .select([standingOf('bidder').as('bidderStanding'), standingOf('owner').as('ownerStanding')])
    .select(['bids.createdAt', 'bids.updatedAt', 'bids.acceptedAt', 'bids.completedAt', 'bids.beginBy'])
    .select(BID_DEADLINE.as('deadlineAt'))
    .select(FEE_COLUMNS)
    .select(couponSummary('coupons').as('coupon'))
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
              .where('rival.exchangeId', 'is', null)
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
      isSellerReady: boolean;
      isHighest: boolean;
      bidderTerms: Terms | null;
      ownerTerms: Terms | null;
    }>();
}

export type BidRow = NonNullable<Awaited<ReturnType<typeof findBid>>>;

export async function findBid(db: Database | Trx, id: number) {
  return selectBids(db).where('bids.id', '=', id).executeTakeFirst();
}

/** The bids with these ids, in no order. */
export async function findBids(db: Database, ids: readonly number[]): Promise<BidRow[]> {
  return selectBids(db).where('bids.id', '=', sql<number>`any(${ids}::integer[])`).execute();
}

/** Locks a bid and returns its state and the amount of its round. Lock its coupon first. */
export async function lockBid(trx: Trx, id: number) {
  return trx
    .selectFrom('bids')
    .select(['status', 'round', 'amount', 'counterAmount', 'bidderTerms', 'ownerTerms'])
    .where('id', '=', id)
    .$narrowType<{ status: DealStatus; bidderTerms: Terms | null; ownerTerms: Terms | null }>()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Begins the next round of a bid. The database keeps its history, and refuses what is not the next round. */
export async function setRound(
  trx: Trx,
  id: number,
  values: Pick<Updateable<DB['bids']>, 'round' | 'amount' | 'counterAmount' | 'answerBy' | 'updatedAt'> & {
    readonly bidderTerms?: Terms;
    readonly ownerTerms?: Terms;
  },
): Promise<void> {
  await trx.updateTable('bids').set(values).where('id', '=', id).execute();
}

/** The bidder of an accepted bid has begun to pay. Lock it first. */
export async function endBeginBy(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('bids')
    .set({ beginBy: null })
    .where('id', '=', id)
    .where('status', '=', 'accepted')
    .where('beginBy', 'is not', null)
    .execute();
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
    .where('exchangeId', 'is', null)
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

/** Who has the coupon of a paid bid, which deal has reserved it, and whether its seller has left. Lock the coupon first. */
export async function findHolding(
  trx: Trx,
  bid: { id: number; couponId: number; exchangeId: number | null; ownerId: number },
): Promise<Holding & { isHeld: boolean; otherDeal: DealKey | null; hasSellerLeft: boolean }> {
  const { id, couponId, exchangeId, ownerId } = bid;
  const { sellerLeftAt, heldBidId, heldExchangeId, ...coupon } = await trx
    .selectFrom('coupons')
    .innerJoin('users as seller', (join) => join.on('seller.id', '=', ownerId))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('couponTransfers')
          .selectAll()
          .whereRef('couponId', '=', 'coupons.id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoin('couponReservations as held', 'held.couponId', 'coupons.id')
    .select(['last.isReturn', 'last.bidId', 'last.exchangeId', 'coupons.deletedAt', 'coupons.usedAt'])
    .select(['held.bidId as heldBidId', 'held.exchangeId as heldExchangeId'])
    .select('seller.deletedAt as sellerLeftAt')
    .where('coupons.id', '=', couponId)
    .executeTakeFirstOrThrow();
  // Of a price, the exchange has moved the coupon.
  const isOwn = (deal: { bidId: number | null; exchangeId: number | null }) =>
    exchangeId === null ? deal.bidId === id : deal.exchangeId === exchangeId;
  const held = dealKeyOf(heldBidId, heldExchangeId);
  const isOwnHold = isOwn({ bidId: heldBidId, exchangeId: heldExchangeId });
  const otherDeal = isOwnHold ? null : held;
  return {
    isBuyers: coupon.deletedAt === null && !coupon.isReturn && isOwn(coupon),
    isUsed: coupon.usedAt !== null,
    isPromised: otherDeal !== null,
    isHeld: held !== null,
    otherDeal,
    hasSellerLeft: sellerLeftAt !== null,
  };
}

function dealKeyOf(bidId: number | null, exchangeId: number | null): DealKey | null {
  if (bidId !== null) return { bidId };
  return exchangeId === null ? null : { exchangeId };
}

/**
 * Compare-and-set of a bid's state, accepted at the amount of its round. Throws when the bid is not in the state `from`,
 * which its lock rules out.
 * @param given.reason why it ended; null while it goes on
 * @param given.atOnce a price that the owner had set does it: until when its bidder has to begin to pay
 */
export async function moveBid(
  trx: Trx,
  id: number,
  given: {
    from: DealStatus;
    to: DealStatus;
    reason: BidReason | null;
    at: Date;
    atOnce?: { readonly beginBy: Date | null } | undefined;
  },
): Promise<void> {
  const { from, to, reason, at, atOnce } = given;
  await trx
    .updateTable('bids')
    .set({ status: to, reason, ...(atOnce && { isAutomatic: true, ...atOnce }), updatedAt: at })
    .$if(to === 'accepted', (update) =>
      update.set({ acceptedAt: at, amount: sql`coalesce(counter_amount, amount)` }),
    )
    .$if(to === 'completed', (update) => update.set({ completedAt: at }))
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow();
}
