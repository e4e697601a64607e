import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type RawBuilder,
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
import { firstCoupon, hasTitleLike } from '../exchange-legs.ts';

export interface ThreadDeal {
  readonly status: DealStatus;
  /** Everybody in it. */
  readonly partyIds: readonly number[];
  /** Who has blocked whom of the reader and each of the others. */
  readonly blockerIds: readonly number[];
}

/** The foreign key of `messages` for this type of deal. */
const dealColumn = ({ dealType }: DealRef) => (dealType === 'exchange' ? 'exchangeId' : 'bidId');

export async function findDeal(
  db: Database | Trx,
  deal: DealRef,
  readerId: number,
): Promise<ThreadDeal | undefined> {
  return selectDeal(db, deal, readerId).executeTakeFirst();
}

export async function lockDeal(trx: Trx, deal: DealRef, readerId: number): Promise<ThreadDeal | undefined> {
  return selectDeal(trx, deal, readerId).forNoKeyUpdate().executeTakeFirst();
}

/** Who has blocked whom of a reader and other people. */
const blockersOf = (readerId: number, partyIds: RawBuilder<number[]>) => sql<number[]>`array(
  select blocker_id from user_blocks
  where blocker_id = ${readerId} and blocked_id = any(${partyIds})
    or blocker_id = any(${partyIds}) and blocked_id = ${readerId})`;

function selectDeal(db: Database | Trx, { dealType, dealId }: DealRef, readerId: number) {
  if (dealType === 'exchange') {
    const partyIds = sql<
      number[]
    >`array(select user_id from exchange_parties where exchange_id = exchanges.id order by user_id)`;
    return db
      .selectFrom('exchanges')
      .select(['status', partyIds.as('partyIds'), blockersOf(readerId, partyIds).as('blockerIds')])
      .where('id', '=', dealId)
      .$narrowType<{ status: DealStatus }>();
  }
  const partyIds = sql<number[]>`array[bidder_id, owner_id]`;
  return db
    .selectFrom('bids')
    .select(['status', partyIds.as('partyIds'), blockersOf(readerId, partyIds).as('blockerIds')])
    .where('id', '=', dealId)
    .$narrowType<{ status: DealStatus }>();
}

/** Moves a conversation to the top of the list. */
export async function touchDeal(trx: Trx, { dealType, dealId }: DealRef, at: Date): Promise<void> {
  const table = dealType === 'exchange' ? 'exchanges' : 'bids';
  await trx.updateTable(table).set({ updatedAt: at }).where('id', '=', dealId).execute();
}

/** Whether the reader, or everybody whom the reader's own message went to, has read it. */
const isReadBy = (readerId: number) => sql<boolean>`case
  when messages.receiver_id is not null then messages.is_read
  else not exists (
    select from message_receipts where message_id = messages.id and not is_read
      and (user_id = ${readerId} or messages.sender_id = ${readerId})) end`;

function selectMessages(db: Database | Trx, readerId: number) {
  return db
    .selectFrom('messages')
    .innerJoin('users as sender', 'sender.id', 'messages.senderId')
    .select(['messages.id', 'messages.exchangeId', 'messages.bidId', 'messages.senderId'])
    .select(['sender.username as senderUsername', 'messages.receiverId', 'messages.content'])
    .select([isReadBy(readerId).as('isRead'), 'messages.clientKey', 'messages.createdAt']);
}

export type MessageRow = Awaited<ReturnType<typeof listMessages>>['rows'][number];

const THREAD: ListOrder = { name: 'messages', direction: 'desc', by: [['id', 'integer']] };

/** A page of a thread, newest message first. */
export async function listMessages(db: Database, deal: DealRef, readerId: number, paging: Paging) {
  const page = openPage(paging, THREAD, COUNT_CAP);
  const thread = db.selectFrom('messages').where(dealColumn(deal), '=', deal.dealId);
  const messages = selectMessages(db, readerId).where(`messages.${dealColumn(deal)}`, '=', deal.dealId);
  const rows = await page.select(messages, 'messages').execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, thread.select('id'), COUNT_CAP)) };
}

export async function findByClientKey(trx: Trx, senderId: number, clientKey: string) {
  return selectMessages(trx, senderId)
    .where('messages.senderId', '=', senderId)
    .where('messages.clientKey', '=', clientKey)
    .executeTakeFirst();
}

/**
 * To one person, or to several people of a ring, with a receipt each.
 * @throws a unique violation of messages_client_key when the sender's key was used at the same moment
 */
export async function insertMessage(
  trx: Trx,
  { receiverIds, ...values }: Insertable<DB['messages']> & { readonly receiverIds: readonly number[] },
): Promise<MessageRow> {
  const [receiverId, ...others] = receiverIds;
  const { id } = await trx
    .insertInto('messages')
    .values({ ...values, receiverId: others.length > 0 ? null : receiverId })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (others.length > 0 && values.exchangeId) {
    const { exchangeId } = values;
    const receipts = receiverIds.map((userId) => ({ messageId: id, userId, exchangeId }));
    await trx.insertInto('messageReceipts').values(receipts).execute();
  }
  return selectMessages(trx, values.senderId).where('messages.id', '=', id).executeTakeFirstOrThrow();
}

/** @returns the number of messages that were unread */
export async function markRead(trx: Trx, deal: DealRef, receiverId: number): Promise<number> {
  const ownReceipts = trx
    .updateTable('messageReceipts')
    .set({ isRead: true })
    .where('exchangeId', '=', deal.dealId)
    .where('userId', '=', receiverId)
    .where('isRead', '=', false);
  const receipts = deal.dealType === 'exchange' ? await ownReceipts.executeTakeFirst() : null;
  const { numUpdatedRows } = await trx
    .updateTable('messages')
    .set({ isRead: true })
    .where(dealColumn(deal), '=', deal.dealId)
    .where('receiverId', '=', receiverId)
    .where('isRead', '=', false)
    .executeTakeFirst();
  return Number(numUpdatedRows) + Number(receipts?.numUpdatedRows ?? 0);
}

/** Counts up to COUNT_CAP. */
export async function countUnread(db: Database, userId: number): Promise<number> {
  const direct = db
    .selectFrom('messages')
    .select('id')
    .where('receiverId', '=', userId)
    .where('isRead', '=', false);
  const inRings = db
    .selectFrom('messageReceipts')
    .select('messageId as id')
    .where('userId', '=', userId)
    .where('isRead', '=', false);
  return (await cappedTotal(db, direct.unionAll(inRings), COUNT_CAP)).total;
}

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
  return db
    .selectFrom('exchangeParties as part')
    .innerJoin('exchanges as deal', 'deal.id', 'part.exchangeId')
    .innerJoin('users as other', (join) => join.on('other.id', '=', giverId))
    .where('part.userId', '=', userId)
    .select(['deal.id as dealId', 'deal.status', 'deal.message', 'deal.requesterId as initiatorId'])
    .select(['deal.createdAt', 'deal.updatedAt', 'other.id as otherId'])
    .select(['other.username as otherUsername', 'other.pictureId as otherPictureId'])
    .select(hasBlocked(userId).as('isBlocked'))
    .select(
      sql<CouponSummary>`${firstCoupon(id, sql.ref('deal.requesterId'), 'requested')}`.as('requestedCoupon'),
    )
    .select(sql<string | null>`null::text`.as('amount'))
    .select(firstCoupon(id, sql.ref('deal.requesterId'), 'offered').as('offeredCoupon'))
    .select(
      sql<Other[]>`(select json_agg(json_build_object('id', users.id, 'username', username) order by users.id)
        from exchange_parties as party join users on users.id = party.user_id
        where party.exchange_id = ${id} and party.user_id <> ${userId})`.as('others'),
    )
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
 * The conversations of exchanges and of each side of bids up to the end of a page, in index order. Nobody is on both
 * sides of a bid, so the parts share no rows.
 */
function conversationsOf(db: Database, { userId, search, only }: ConversationFilter, page: ListPage) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const isAskedFor = (dealType: DealType, id: Expression<number>) =>
    only ? sql<boolean>`${only.dealType === dealType} and ${id} = ${only.dealId}` : sql<boolean>`true`;
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
    where party.exchange_id = deal.id and party.user_id <> ${userId} and username ilike ${pattern})`;
  const exchanges = upTo(
    exchangesOf(db, userId)
      .where(({ ref }) => isAskedFor('exchange', ref('part.exchangeId')))
      .$if(search !== '', (query) =>
        query.where((where) => where.or([hasTitleLike(sql.ref('deal.id'), pattern), hasName])),
      ),
    [sql.ref('part.updatedAt'), sql.ref('part.exchangeId')],
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
