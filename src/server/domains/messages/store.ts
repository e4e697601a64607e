import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { CouponSummary } from '#contract/coupons.ts';
import type { DealRef, DealStatus, DealType } from '#contract/deals.ts';
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

export interface ThreadDeal {
  readonly status: DealStatus;
  /** The requester or bidder. */
  readonly initiatorId: number;
  readonly ownerId: number;
  /** Which of the two have blocked the other. */
  readonly blockerIds: readonly number[];
}

/** The foreign key of `messages` for this type of deal. */
const dealColumn = ({ dealType }: DealRef) => (dealType === 'exchange' ? 'exchangeId' : 'bidId');

export async function findDeal(db: Database | Trx, deal: DealRef): Promise<ThreadDeal | undefined> {
  return selectDeal(db, deal).executeTakeFirst();
}

export async function lockDeal(trx: Trx, deal: DealRef): Promise<ThreadDeal | undefined> {
  return selectDeal(trx, deal).forNoKeyUpdate().executeTakeFirst();
}

/** Which of two people have blocked the other. */
const blockersOf = (one: Expression<number>, other: Expression<number>) => sql<number[]>`array(
  select blocker_id from user_blocks
  where blocker_id = ${one} and blocked_id = ${other} or blocker_id = ${other} and blocked_id = ${one})`;

function selectDeal(db: Database | Trx, { dealType, dealId }: DealRef) {
  return dealType === 'exchange'
    ? db
        .selectFrom('exchanges')
        .select(['status', 'requesterId as initiatorId', 'ownerId'])
        .select(({ ref }) => blockersOf(ref('requesterId'), ref('ownerId')).as('blockerIds'))
        .where('id', '=', dealId)
        .$narrowType<{ status: DealStatus }>()
    : db
        .selectFrom('bids')
        .select(['status', 'bidderId as initiatorId', 'ownerId'])
        .select(({ ref }) => blockersOf(ref('bidderId'), ref('ownerId')).as('blockerIds'))
        .where('id', '=', dealId)
        .$narrowType<{ status: DealStatus }>();
}

/** Moves a conversation to the top of the list. */
export async function touchDeal(trx: Trx, { dealType, dealId }: DealRef, at: Date): Promise<void> {
  const table = dealType === 'exchange' ? 'exchanges' : 'bids';
  await trx.updateTable(table).set({ updatedAt: at }).where('id', '=', dealId).execute();
}

function selectMessages(db: Database | Trx) {
  return db
    .selectFrom('messages')
    .innerJoin('users as sender', 'sender.id', 'messages.senderId')
    .select(['messages.id', 'messages.exchangeId', 'messages.bidId', 'messages.senderId'])
    .select(['sender.username as senderUsername', 'messages.receiverId', 'messages.content'])
    .select(['messages.isRead', 'messages.clientKey', 'messages.createdAt']);
}

export type MessageRow = Awaited<ReturnType<typeof listMessages>>['rows'][number];

const THREAD: ListOrder = { name: 'messages', direction: 'desc', by: [['id', 'integer']] };

/** A page of a thread, newest message first. */
export async function listMessages(db: Database, deal: DealRef, paging: Paging) {
  const page = openPage(paging, THREAD, COUNT_CAP);
  const thread = db.selectFrom('messages').where(dealColumn(deal), '=', deal.dealId);
  const messages = selectMessages(db).where(`messages.${dealColumn(deal)}`, '=', deal.dealId);
  const rows = await page.select(messages, 'messages').execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, thread.select('id'), COUNT_CAP)) };
}

export async function findByClientKey(trx: Trx, senderId: number, clientKey: string) {
  return selectMessages(trx)
    .where('messages.senderId', '=', senderId)
    .where('messages.clientKey', '=', clientKey)
    .executeTakeFirst();
}

/** @throws a unique violation of messages_client_key when the sender's key was used at the same moment */
export async function insertMessage(trx: Trx, values: Insertable<DB['messages']>): Promise<MessageRow> {
  const { id } = await trx.insertInto('messages').values(values).returning('id').executeTakeFirstOrThrow();
  return selectMessages(trx).where('messages.id', '=', id).executeTakeFirstOrThrow();
}

/** @returns the number of messages that were unread */
export async function markRead(trx: Trx, deal: DealRef, receiverId: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('messages')
    .set({ isRead: true })
    .where(dealColumn(deal), '=', deal.dealId)
    .where('receiverId', '=', receiverId)
    .where('isRead', '=', false)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Counts up to COUNT_CAP. */
export async function countUnread(db: Database, userId: number): Promise<number> {
  const unread = db.selectFrom('messages').select('id').where('receiverId', '=', userId);
  return (await cappedTotal(db, unread.where('isRead', '=', false), COUNT_CAP)).total;
}

/** One side of a person's deals of one type. */
interface Part {
  readonly userId: number;
  readonly isInitiator: boolean;
}

/** Whether a person has blocked the other one of a deal. */
const hasBlocked = (userId: number) => sql<boolean>`exists (
  select from user_blocks where blocker_id = ${userId} and blocked_id = other.id)`;

function exchangesOf(db: Database, { userId, isInitiator }: Part) {
  return db
    .selectFrom('exchanges as deal')
    .innerJoin('users as other', 'other.id', isInitiator ? 'deal.ownerId' : 'deal.requesterId')
    .innerJoin('coupons as requested', 'requested.id', 'deal.requestedCouponId')
    .innerJoin('coupons as offered', 'offered.id', 'deal.offeredCouponId')
    .where(isInitiator ? 'deal.requesterId' : 'deal.ownerId', '=', userId)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.requesterId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId'])
    .select(['other.username as otherUsername', 'other.pictureId as otherPictureId'])
    .select(hasBlocked(userId).as('isBlocked'))
    .select([couponSummary('requested').as('requestedCoupon'), sql<string | null>`null::text`.as('amount')])
    .select(sql<CouponSummary | null>`${couponSummary('offered')}`.as('offeredCoupon'))
    .select([sql<number | null>`deal.id`.as('exchangeId'), sql<number | null>`null::integer`.as('bidId')])
    .select(sql<DealType>`'exchange'`.as('dealType'))
    .$narrowType<{ status: DealStatus }>();
}

function bidsOf(db: Database, { userId, isInitiator }: Part) {
  return db
    .selectFrom('bids as deal')
    .innerJoin('users as other', 'other.id', isInitiator ? 'deal.ownerId' : 'deal.bidderId')
    .innerJoin('coupons as requested', 'requested.id', 'deal.couponId')
    .where(isInitiator ? 'deal.bidderId' : 'deal.ownerId', '=', userId)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.bidderId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId'])
    .select(['other.username as otherUsername', 'other.pictureId as otherPictureId'])
    .select(hasBlocked(userId).as('isBlocked'))
    .select([
      couponSummary('requested').as('requestedCoupon'),
      sql<string | null>`deal.amount::text`.as('amount'),
    ])
    .select(sql<CouponSummary | null>`null::json`.as('offeredCoupon'))
    .select([sql<number | null>`null::integer`.as('exchangeId'), sql<number | null>`deal.id`.as('bidId')])
    .select(sql<DealType>`'bid'`.as('dealType'))
    .$narrowType<{ status: DealStatus }>();
}

interface ConversationFilter {
  readonly userId: number;
  /** Part of the other's name or of a coupon's title, case-insensitive; '' for all. */
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
 * The conversations of each side and type of deal up to the end of a page, in index order. Nobody is on both sides of
 * a deal, so the parts share no rows.
 */
function conversationsOf(db: Database, { userId, search, only }: ConversationFilter, page: ListPage) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const isAskedFor = (dealType: DealType, id: Expression<number>) =>
    only ? sql<boolean>`${only.dealType === dealType} and ${id} = ${only.dealId}` : sql<boolean>`true`;
  // In the order of the index; the ties of both types are sorted afterwards.
  const upTo = <Tables, Name extends keyof Tables, Row>(part: SelectQueryBuilder<Tables, Name, Row>) => {
    const [updatedAt, id] = [sql.ref('deal.updatedAt'), sql.ref('deal.id')];
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
  const exchanges = (isInitiator: boolean) =>
    upTo(
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
        ),
    );
  const bids = (isInitiator: boolean) =>
    upTo(
      bidsOf(db, { userId, isInitiator })
        .where(({ ref }) => isAskedFor('bid', ref('deal.id')))
        .$if(search !== '', (query) =>
          query.where((where) =>
            where.or([where('requested.title', 'ilike', pattern), where('other.username', 'ilike', pattern)]),
          ),
        ),
    );
  return db
    .selectFrom(exchanges(true).as('asked'))
    .selectAll()
    .unionAll(db.selectFrom(exchanges(false).as('askedFor')).selectAll())
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
    );
  const rows = await list.sort(shown, 'page').execute();
  const counted = conversationsOf(
    db,
    filter,
    openPage({ page: 1, limit: COUNT_CAP }, LAST_CHANGED, COUNT_CAP),
  );
  return { ...list.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}
