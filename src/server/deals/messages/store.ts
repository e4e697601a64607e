import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealRef, DealStatus } from '#contract/deals/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

export interface ThreadDeal {
  /** The newest round of a negotiation. */
  readonly dealId: number;
  /** The first round, to which the messages of all rounds belong. */
  readonly threadId: number;
  readonly status: DealStatus;
  /** Everybody in it. */
  readonly partyIds: readonly number[];
  /** Who has blocked whom of the reader and each of the others. */
  readonly blockerIds: readonly number[];
  readonly hasOpenClaim: boolean;
}

/** The foreign key of `messages` and of `claims` for this type of deal. */
const dealColumn = ({ dealType }: Pick<DealRef, 'dealType'>) =>
  dealType === 'exchange' ? 'exchangeId' : 'bidId';

/** Whether a claim about an exchange or a bid is open. @param dealId as SQL */
export const hasOpenClaim = (dealType: DealRef['dealType'], dealId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from claims
    where ${sql.ref(`claims.${dealColumn({ dealType })}`)} = ${dealId} and claims.status = 'open')`;

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

/** The newest round of the negotiation that an exchange is part of. */
export const newestRound = (exchangeId: number) => sql<number>`(
  select newest.id from exchanges as named join exchanges as newest on newest.thread_id = named.thread_id
  where named.id = ${exchangeId} order by newest.round desc limit 1)`;

/** The blocks between a reader and other people. */
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
      .select(['id as dealId', 'threadId', 'status', partyIds.as('partyIds')])
      .select(blockersOf(readerId, partyIds).as('blockerIds'))
      .select(hasOpenClaim('exchange', sql.ref('exchanges.id')).as('hasOpenClaim'))
      .where('id', '=', newestRound(dealId))
      .$narrowType<{ status: DealStatus }>();
  }
  const partyIds = sql<number[]>`array[bidder_id, owner_id]`;
  return db
    .selectFrom('bids')
    .select(['id as dealId', 'id as threadId', 'status', partyIds.as('partyIds')])
    .select(blockersOf(readerId, partyIds).as('blockerIds'))
    .select(hasOpenClaim('bid', sql.ref('bids.id')).as('hasOpenClaim'))
    .where('id', '=', dealId)
    .where('exchangeId', 'is', null)
    .$narrowType<{ status: DealStatus }>();
}

/** Whether the reader has read the message; for their own message, whether all its receivers have. */
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

/** A page of a thread, newest message first. @param deal the thread's own */
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
 * Stores a message to one person, or to several people of a ring with a receipt each, and moves its conversation to the
 * top of the list.
 * @param of.thread the deal that the conversation's messages belong to
 * @throws a unique violation of messages_client_key when the sender's key was used at the same moment
 */
export async function insertMessage(
  trx: Trx,
  of: { deal: DealRef; thread: DealRef },
  sent: Pick<MessageRow, 'senderId' | 'senderUsername' | 'content' | 'clientKey' | 'createdAt'>,
  receiverIds: readonly number[],
): Promise<MessageRow> {
  const { dealType, dealId } = of.deal;
  const { senderUsername, ...values } = sent;
  const [only, ...others] = receiverIds;
  const receivers = others.length > 0 ? receiverIds : [];
  const message = {
    ...values,
    exchangeId: dealType === 'exchange' ? of.thread.dealId : null,
    bidId: dealType === 'bid' ? of.thread.dealId : null,
    receiverId: others.length > 0 ? null : (only ?? null),
  };
  const { id } = await trx
    .with('sent', (query) => query.insertInto('messages').values(message).returning(['id', 'exchangeId']))
    .with(
      'receipts',
      () => sql`(
        insert into message_receipts (message_id, user_id, exchange_id)
        select id, user_id, exchange_id from sent, unnest(${receivers}::integer[]) as user_id)`,
    )
    .with('moved', (query) =>
      query
        .updateTable(dealType === 'exchange' ? 'exchanges' : 'bids')
        .set({ updatedAt: sent.createdAt })
        .where('id', '=', dealId),
    )
    .selectFrom('sent')
    .select('id')
    .executeTakeFirstOrThrow();
  return { ...message, id, senderUsername, isRead: false };
}

/** @param deal the thread's own @returns the number of messages that were unread */
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
