import type { Insertable } from 'kysely';
import type { DealRef, DealStatus } from '#contract/deals.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import type { ThreadDeal } from './rules.ts';

/** The column of `messages` that names a deal of this kind. */
const dealColumn = ({ dealType }: DealRef) => (dealType === 'exchange' ? 'exchangeId' : 'bidId');

export async function findDeal(db: Database | Trx, deal: DealRef): Promise<ThreadDeal | undefined> {
  return selectDeal(db, deal).executeTakeFirst();
}

/** The deal, which stays in its state until the transaction ends. */
export async function lockDeal(trx: Trx, deal: DealRef): Promise<ThreadDeal | undefined> {
  return selectDeal(trx, deal).forNoKeyUpdate().executeTakeFirst();
}

function selectDeal(db: Database | Trx, { dealType, dealId }: DealRef) {
  return dealType === 'exchange'
    ? db
        .selectFrom('exchanges')
        .select(['status', 'requesterId as initiatorId', 'ownerId'])
        .where('id', '=', dealId)
        .$narrowType<{ status: DealStatus }>()
    : db
        .selectFrom('bids')
        .select(['status', 'bidderId as initiatorId', 'ownerId'])
        .where('id', '=', dealId)
        .$narrowType<{ status: DealStatus }>();
}

/** Moves a conversation to the head of the list. */
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

/** The newest messages of a thread, those older than the message `before` if it is given; newest first. */
export async function listMessages(
  db: Database,
  deal: DealRef,
  { before, limit }: { before: number | null; limit: number },
) {
  const thread = db.selectFrom('messages').where(dealColumn(deal), '=', deal.dealId);
  const rows = await selectMessages(db)
    .where(`messages.${dealColumn(deal)}`, '=', deal.dealId)
    .$if(before !== null, (query) => query.where('messages.id', '<', before))
    .orderBy('messages.id', 'desc')
    .limit(limit + 1)
    .execute();
  return { rows, ...(await cappedTotal(db, thread.select('id'), COUNT_CAP)) };
}

/** A message that its sender has sent under this key before. */
export async function findByClientKey(trx: Trx, senderId: number, clientKey: string) {
  return selectMessages(trx)
    .where('messages.senderId', '=', senderId)
    .where('messages.clientKey', '=', clientKey)
    .executeTakeFirst();
}

/** Fails with a unique violation of messages_client_key when the sender has used the key in the same moment. */
export async function insertMessage(trx: Trx, values: Insertable<DB['messages']>): Promise<MessageRow> {
  const { id } = await trx.insertInto('messages').values(values).returning('id').executeTakeFirstOrThrow();
  return selectMessages(trx).where('messages.id', '=', id).executeTakeFirstOrThrow();
}

/** How many messages of a thread somebody had not read until now. */
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

/** How many messages somebody has not read, counted up to COUNT_CAP. */
export async function countUnread(db: Database, userId: number): Promise<number> {
  const unread = db.selectFrom('messages').select('id').where('receiverId', '=', userId);
  return (await cappedTotal(db, unread.where('isRead', '=', false), COUNT_CAP)).total;
}
