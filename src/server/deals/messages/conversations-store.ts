import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import type { DealRef, DealStatus, DealType } from '#contract/deals/deals.ts';
import { couponSummary } from '#server/coupons/core/coupon-summary-sql.ts';
import type { Database } from '#server/database/client.ts';
import {
  cappedTotal,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
} from '#server/database/paging.ts';
import { mentionsTyped } from '#server/database/search-words.ts';
import type { DB } from '#server/database/types.ts';
import { firstCoupon, hasTitleLike } from '#server/deals/lifecycle/exchange-legs-sql.ts';
import { hasOpenClaim, newestRound } from './store.ts';

/** One side of a person's bids. */
interface Part {
  readonly userId: number;
  readonly isInitiator: boolean;
}

/** Whether a person has blocked the other one of a deal. */
const hasBlocked = (userId: number) => sql<boolean>`exists (
  select from user_blocks where blocker_id = ${userId} and blocked_id = other.id)`;

/** Somebody else in a deal. */
interface Other {
  readonly id: number;
  readonly username: string;
}

function exchangesOf(db: Database, userId: number) {
  const id = sql.ref('deal.id');
  // The other one of a swap; in a ring, whoever gives to this person.
  const giverId = sql<number>`(
    select giver_id from exchange_legs where exchange_id = ${id} and receiver_id = ${userId} order by place limit 1)`;
  return (
    db
      .selectFrom('exchangeParties as part')
      .innerJoin('exchanges as deal', 'deal.id', 'part.exchangeId')
      .innerJoin('users as other', (join) => join.on('other.id', '=', giverId))
      .where('part.userId', '=', userId)
      // All rounds of a negotiation are one conversation.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('exchanges as next').whereRef('next.replacesId', '=', 'part.exchangeId'))),
      )
      .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.requesterId as initiatorId'])
      .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId'])
      .select(['other.username as otherUsername', 'other.pictureId as otherPictureId'])
      .select(hasBlocked(userId).as('isBlocked'))
      .select(
        sql<CouponSummary>`${firstCoupon(id, sql.ref('deal.requesterId'), 'requested')}`.as(
          'requestedCoupon',
        ),
      )
      .select(sql<string | null>`null::text`.as('amount'))
      .select(firstCoupon(id, sql.ref('deal.requesterId'), 'offered').as('offeredCoupon'))
      .select(
        sql<
          Other[]
        >`(select json_agg(json_build_object('id', users.id, 'username', username) order by users.id)
        from exchange_parties as party join users on users.id = party.user_id
        where party.exchange_id = ${id} and party.user_id <> ${userId})`.as('others'),
      )
      .select([
        sql<number | null>`deal.thread_id`.as('exchangeId'),
        sql<number | null>`null::integer`.as('bidId'),
      ])
      .select(sql<DealType>`'exchange'`.as('dealType'))
      .$narrowType<{ status: DealStatus }>()
  );
}

function bidsOf(db: Database, { userId, isInitiator }: Part) {
  return db
    .selectFrom('bids as deal')
    .innerJoin('users as other', 'other.id', isInitiator ? 'deal.ownerId' : 'deal.bidderId')
    .innerJoin('coupons as requested', 'requested.id', 'deal.couponId')
    .where(isInitiator ? 'deal.bidderId' : 'deal.ownerId', '=', userId)
    .where('deal.exchangeId', 'is', null)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.bidderId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId'])
    .select(['other.username as otherUsername', 'other.pictureId as otherPictureId'])
    .select(hasBlocked(userId).as('isBlocked'))
    .select([
      couponSummary('requested').as('requestedCoupon'),
      sql<string | null>`deal.amount::text`.as('amount'),
    ])
    .select(sql<CouponSummary | null>`null::json`.as('offeredCoupon'))
    .select(
      sql<Other[]>`json_build_array(json_build_object('id', other.id, 'username', other.username))`.as(
        'others',
      ),
    )
    .select([sql<number | null>`null::integer`.as('exchangeId'), sql<number | null>`deal.id`.as('bidId')])
    .select(sql<DealType>`'bid'`.as('dealType'))
    .$narrowType<{ status: DealStatus }>();
}

interface ConversationFilter {
  readonly userId: number;
  /** Words of the other's name or of a coupon's title; '' for all. */
  readonly search: string;
  /** One deal alone. */
  readonly only?: DealRef;
}

const LAST_CHANGED: ListOrder = {
  name: 'conversations',
  direction: 'desc',
  by: [
    ['updatedAt', 'timestamptz'],
    ['dealId', 'integer'],
    ['dealType', 'text'],
  ],
};

/**
 * The conversations of exchanges and of each side of bids up to the end of a page, in index order. Nobody is on both
 * sides of a bid, so the parts share no rows.
 */
function conversationsOf(db: Database, { userId, search, only }: ConversationFilter, page: ListPage) {
  const isAskedFor = (dealType: DealType, id: Expression<number>) => {
    if (!only) return sql<boolean>`true`;
    const asked = dealType === 'exchange' ? newestRound(only.dealId) : sql`${only.dealId}`;
    return sql<boolean>`${only.dealType === dealType} and ${id} = ${asked}`;
  };
  // In the order of the index; the ties of both types are sorted afterwards.
  const upTo = <Tables, Name extends keyof Tables, Row>(
    part: SelectQueryBuilder<Tables, Name, Row>,
    [updatedAt, id] = [sql.ref('deal.updatedAt'), sql.ref('deal.id')],
  ) => {
    const [at, dealId] = page.values ?? [];
    const begun =
      at && dealId
        ? part.where(sql<boolean>`(${updatedAt}, ${id}) ${page.beyond}= (${at}, ${dealId})`)
        : part;
    return begun
      .orderBy(updatedAt, page.direction)
      .orderBy(id, page.direction)
      .limit(page.reach + 1);
  };
  const hasName = sql<boolean>`exists (
    select from exchange_parties as party join users on users.id = party.user_id
    where party.exchange_id = deal.id and party.user_id <> ${userId} and ${mentionsTyped(sql`username`, search)})`;
  const exchanges = upTo(
    exchangesOf(db, userId)
      .where(({ ref }) => isAskedFor('exchange', ref('part.exchangeId')))
      .$if(search !== '', (query) =>
        query.where((where) => where.or([hasTitleLike(sql.ref('deal.id'), search), hasName])),
      ),
    [sql.ref('part.updatedAt'), sql.ref('part.exchangeId')],
  );
  const bids = (isInitiator: boolean) =>
    upTo(
      bidsOf(db, { userId, isInitiator })
        .where(({ ref }) => isAskedFor('bid', ref('deal.id')))
        .$if(search !== '', (query) =>
          query.where((where) =>
            where.or([
              mentionsTyped(sql.ref('requested.title'), search),
              mentionsTyped(sql.ref('other.username'), search),
            ]),
          ),
        ),
    );
  return db
    .selectFrom(exchanges.as('exchanges'))
    .selectAll()
    .unionAll(db.selectFrom(bids(true).as('bid')).selectAll())
    .unionAll(db.selectFrom(bids(false).as('bidOn')).selectAll());
}

export type ConversationRow = Awaited<ReturnType<typeof listConversations>>['rows'][number];

/** A page of a person's conversations, last changed first, with last message and unread count. */
export async function listConversations(db: Database, filter: ConversationFilter, paging: Paging) {
  const list = openPage(paging, LAST_CHANGED, COUNT_CAP);
  const page = list.select(db.selectFrom(conversationsOf(db, filter, list).as('found')).selectAll());
  type Page = DB & { page: { exchangeId: number | null; bidId: number | null } };
  const lastBy = (column: 'exchangeId' | 'bidId') => (from: ExpressionBuilder<Page, 'page'>) =>
    from
      .selectFrom('messages')
      .select(['messages.content', 'messages.senderId', 'messages.createdAt'])
      .whereRef(`messages.${column}`, '=', `page.${column}`)
      .orderBy('messages.id', 'desc')
      .limit(1);
  const shown = db
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
    .select(
      sql<boolean>`case when page.bid_id is null then ${hasOpenClaim('exchange', sql.ref('page.dealId'))}
        else ${hasOpenClaim('bid', sql.ref('page.dealId'))} end`.as('hasOpenClaim'),
    )
    .select((from) =>
      from
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('messages.receiverId', '=', filter.userId)
        .where('messages.isRead', '=', false)
        .where(
          sql<boolean>`(messages.exchange_id, messages.bid_id) is not distinct from (page.exchange_id, page.bid_id)`,
        )
        .as('unreadDirect'),
    )
    .select((from) =>
      from
        .selectFrom('messageReceipts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('messageReceipts.userId', '=', filter.userId)
        .where('messageReceipts.isRead', '=', false)
        .whereRef('messageReceipts.exchangeId', '=', 'page.exchangeId')
        .as('unreadInRing'),
    );
  const rows = await list.sort(shown, 'page').execute();
  const counted = conversationsOf(
    db,
    filter,
    openPage({ page: 1, limit: COUNT_CAP }, LAST_CHANGED, COUNT_CAP),
  );
  return { ...list.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}
