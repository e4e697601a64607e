import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons.ts';
import type { DealRef, DealStatus, DealType } from '#contract/deals.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { couponSummary } from '../coupon-summary.ts';

/** Somebody's conversations on one side of one kind of deal. */
interface Part {
  readonly userId: number;
  readonly isInitiator: boolean;
}

function exchangesOf(db: Database, { userId, isInitiator }: Part) {
  return db
    .selectFrom('exchanges as deal')
    .innerJoin('users as other', 'other.id', isInitiator ? 'deal.ownerId' : 'deal.requesterId')
    .innerJoin('coupons as requested', 'requested.id', 'deal.requestedCouponId')
    .innerJoin('coupons as offered', 'offered.id', 'deal.offeredCouponId')
    .where(isInitiator ? 'deal.requesterId' : 'deal.ownerId', '=', userId)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.requesterId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId', 'other.username as otherUsername'])
    .select([couponSummary('requested').as('requestedCoupon'), sql<string | null>`null::text`.as('amount')])
    .select(sql<CouponSummary | null>`${couponSummary('offered')}`.as('offeredCoupon'))
    .select([sql<number | null>`deal.id`.as('exchangeId'), sql<number | null>`null::integer`.as('bidId')])
    .$narrowType<{ status: DealStatus }>();
}

function bidsOf(db: Database, { userId, isInitiator }: Part) {
  return db
    .selectFrom('bids as deal')
    .innerJoin('users as other', 'other.id', isInitiator ? 'deal.ownerId' : 'deal.bidderId')
    .innerJoin('coupons as requested', 'requested.id', 'deal.couponId')
    .where(isInitiator ? 'deal.bidderId' : 'deal.ownerId', '=', userId)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.bidderId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId', 'other.username as otherUsername'])
    .select([
      couponSummary('requested').as('requestedCoupon'),
      sql<string | null>`deal.amount::text`.as('amount'),
    ])
    .select(sql<CouponSummary | null>`null::json`.as('offeredCoupon'))
    .select([sql<number | null>`null::integer`.as('exchangeId'), sql<number | null>`deal.id`.as('bidId')])
    .$narrowType<{ status: DealStatus }>();
}

interface ConversationFilter {
  readonly userId: number;
  /** A part of the other's name or of a coupon's title, whatever the case; '' for all. */
  readonly search: string;
  /** One deal alone. */
  readonly only?: DealRef;
}

/**
 * Somebody's conversations, the `reach` last changed of each side of each kind of deal, read in the order of its
 * index. Nobody stands on both sides of a deal, so none comes twice.
 */
function newest(db: Database, { userId, search, only }: ConversationFilter, reach: number) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const isAskedFor = (dealType: DealType, id: Expression<number>) =>
    only ? sql<boolean>`${only.dealType === dealType} and ${id} = ${only.dealId}` : sql<boolean>`true`;
  const exchanges = (isInitiator: boolean) =>
    exchangesOf(db, { userId, isInitiator })
      .where(({ ref }) => isAskedFor('exchange', ref('deal.id')))
      .$if(search !== '', (query) =>
        query.where((where) =>
          where.or([
            where('requested.title', 'ilike', pattern),
            where('offered.title', 'ilike', pattern),
            where('other.username', 'ilike', pattern),
          ]),
        ),
      )
      .orderBy('deal.updatedAt', 'desc')
      .orderBy('deal.id', 'desc')
      .limit(reach);
  const bids = (isInitiator: boolean) =>
    bidsOf(db, { userId, isInitiator })
      .where(({ ref }) => isAskedFor('bid', ref('deal.id')))
      .$if(search !== '', (query) =>
        query.where((where) =>
          where.or([where('requested.title', 'ilike', pattern), where('other.username', 'ilike', pattern)]),
        ),
      )
      .orderBy('deal.updatedAt', 'desc')
      .orderBy('deal.id', 'desc')
      .limit(reach);
  return db
    .selectFrom(exchanges(true).as('asked'))
    .selectAll()
    .unionAll(db.selectFrom(exchanges(false).as('askedFor')).selectAll())
    .unionAll(db.selectFrom(bids(true).as('bid')).selectAll())
    .unionAll(db.selectFrom(bids(false).as('bidOn')).selectAll());
}

export type ConversationRow = Awaited<ReturnType<typeof listConversations>>['rows'][number];

/** A page of somebody's conversations, the last changed first, each with its last message and what is unread. */
export async function listConversations(db: Database, filter: ConversationFilter, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const page = db
    .selectFrom(newest(db, filter, offset + paging.limit).as('found'))
    .selectAll()
    .orderBy('updatedAt', 'desc')
    .orderBy('dealId', 'desc')
    .limit(paging.limit)
    .offset(offset);
  type Page = DB & { page: { exchangeId: number | null; bidId: number | null } };
  const lastBy = (column: 'exchangeId' | 'bidId') => (from: ExpressionBuilder<Page, 'page'>) =>
    from
      .selectFrom('messages')
      .select(['messages.content', 'messages.senderId', 'messages.createdAt'])
      .whereRef(`messages.${column}`, '=', `page.${column}`)
      .orderBy('messages.id', 'desc')
      .limit(1);
  const rows = await db
    .selectFrom(page.as('page'))
    .leftJoinLateral(
      (from) => lastBy('exchangeId')(from).as('ofExchange'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (from) => lastBy('bidId')(from).as('ofBid'),
      (join) => join.onTrue(),
    )
    .selectAll('page')
    .select(({ fn }) => [
      fn.coalesce('ofExchange.content', 'ofBid.content').as('lastContent'),
      fn.coalesce('ofExchange.senderId', 'ofBid.senderId').as('lastSenderId'),
      fn.coalesce('ofExchange.createdAt', 'ofBid.createdAt').as('lastAt'),
    ])
    .select((from) =>
      from
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('messages.receiverId', '=', filter.userId)
        .where('messages.isRead', '=', false)
        .where(
          sql<boolean>`(messages.exchange_id, messages.bid_id) is not distinct from (page.exchange_id, page.bid_id)`,
        )
        .as('unread'),
    )
    .orderBy('page.updatedAt', 'desc')
    .orderBy('page.dealId', 'desc')
    .execute();
  return { rows, ...(await cappedTotal(db, newest(db, filter, COUNT_CAP + 1), COUNT_CAP)) };
}
