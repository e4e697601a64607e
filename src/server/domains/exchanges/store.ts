import type { Insertable } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { DealReason, DealStatus } from '#contract/deals.ts';
import type { ExchangeTab } from '#contract/exchanges.ts';
import type { Database, Trx } from '#server/database/client.ts';
import {
  cappedTotal,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
} from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { couponSummary } from '../coupon-summary.ts';

/** @throws a unique violation of exchanges_one_pending on a second request for the same coupon */
export async function insertExchange(trx: Trx, values: Insertable<DB['exchanges']>): Promise<number> {
  const row = await trx.insertInto('exchanges').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Exchanges with their parties and coupons. */
function selectExchanges(db: Database | Trx) {
  return db
    .selectFrom('exchanges')
    .innerJoin('users as requester', 'requester.id', 'exchanges.requesterId')
    .innerJoin('users as owner', 'owner.id', 'exchanges.ownerId')
    .innerJoin('coupons as requested', 'requested.id', 'exchanges.requestedCouponId')
    .innerJoin('coupons as offered', 'offered.id', 'exchanges.offeredCouponId')
    .select(['exchanges.id', 'exchanges.status', 'exchanges.reason', 'exchanges.message'])
    .select(['exchanges.requesterId', 'requester.username as requesterUsername'])
    .select(['exchanges.ownerId', 'owner.username as ownerUsername'])
    .select(['exchanges.requestedCouponId', 'requested.title as requestedTitle'])
    .select(['exchanges.offeredCouponId', 'offered.title as offeredTitle'])
    .select(['exchanges.createdAt', 'exchanges.updatedAt', 'exchanges.acceptedAt', 'exchanges.completedAt'])
    .select([couponSummary('requested').as('requestedCoupon'), couponSummary('offered').as('offeredCoupon')])
    .$narrowType<{ status: DealStatus; reason: DealReason | null }>();
}

export type ExchangeRow = NonNullable<Awaited<ReturnType<typeof findExchange>>>;

export async function findExchange(db: Database | Trx, id: number) {
  return selectExchanges(db).where('exchanges.id', '=', id).executeTakeFirst();
}

/** Locks an exchange and returns its status and offer. Lock its coupons first. */
export async function lockExchange(
  trx: Trx,
  id: number,
): Promise<{ status: DealStatus; offeredCouponId: number }> {
  return trx
    .selectFrom('exchanges')
    .select(['status', 'offeredCouponId'])
    .where('id', '=', id)
    .$narrowType<{ status: DealStatus }>()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Compare-and-set: throws when the exchange is not pending, which its lock rules out. Undefined values stay unchanged.
 */
export async function reviseExchange(
  trx: Trx,
  id: number,
  change: { offeredCouponId: number | undefined; message: string | null | undefined },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('exchanges')
    .set({ ...change, updatedAt: at })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirstOrThrow();
}

interface ListFilter {
  readonly userId: number;
  readonly tab: ExchangeTab;
  readonly search: string;
}

const NEWEST: ListOrder = {
  name: 'exchanges',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

/** The matches on one side. */
function matchesOf(db: Database, side: 'requesterId' | 'ownerId', { userId, tab, search }: ListFilter) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  return selectExchanges(db)
    .where(`exchanges.${side}`, '=', userId)
    .$if(tab === 'pending' || tab === 'completed', (query) => query.where('exchanges.status', '=', tab))
    .$if(search !== '', (query) =>
      query.where((where) =>
        where.or([
          where('requested.title', 'ilike', pattern),
          where('offered.title', 'ilike', pattern),
          where('requester.username', 'ilike', pattern),
          where('owner.username', 'ilike', pattern),
        ]),
      ),
    );
}

/** The rows of both sides up to the end of a page, each in the order of its index. Nobody is on both sides of an exchange, so the two parts share no rows. */
function ofBothSides(db: Database, filter: ListFilter, page: ListPage) {
  const requested = page.upTo(matchesOf(db, 'requesterId', filter), 'exchanges');
  const received = page.upTo(matchesOf(db, 'ownerId', filter), 'exchanges');
  if (filter.tab === 'requested') return db.selectFrom(requested.as('mine')).selectAll();
  if (filter.tab === 'received') return db.selectFrom(received.as('mine')).selectAll();
  return db
    .selectFrom(requested.as('mine'))
    .selectAll()
    .unionAll(db.selectFrom(received.as('theirs')).selectAll());
}

/** A page of a person's exchanges, newest first. The search ignores case. */
export async function listExchanges(db: Database, filter: ListFilter, paging: Paging) {
  const page = openPage(paging, NEWEST, COUNT_CAP);
  const found = db.selectFrom(ofBothSides(db, filter, page).as('found')).selectAll();
  const rows = await page.select(found).execute();
  const counted = ofBothSides(db, filter, openPage({ page: 1, limit: COUNT_CAP }, NEWEST, COUNT_CAP));
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}
