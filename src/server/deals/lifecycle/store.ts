import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import { ACCOUNT_ACTIONS, type LogAction, type LogKind } from '#contract/people/notifications.ts';
import { couponSummary } from '#server/coupons/core/coupon-summary-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { lockedPeople } from '#server/people/accounts/locked-people-sql.ts';
import { firstCoupon } from './exchange-legs-sql.ts';

/** Notes which of these people have lately signed in at the same internet address: they may be one person. */
function notedNetworks(userIds: readonly number[]) {
  const people = sql`unnest(${[...userIds]}::integer[])`;
  return sql`noted as (
    insert into uncounted_pairs (lower_id, higher_id)
    select lower.id, higher.id from ${people} as lower (id) join ${people} as higher (id) on lower.id < higher.id
    where exists (
      select from sign_ins as one join sign_ins as other on other.network_hash = one.network_hash
      where one.user_id = lower.id and other.user_id = higher.id)
    order by 1, 2
    on conflict do nothing)`;
}

export async function addCompleted(
  trx: Trx,
  column: 'successfulExchanges' | 'acceptedBids',
  userIds: readonly number[],
  by: 1 | -1,
): Promise<void> {
  await sql`
    with ${lockedPeople(userIds)}, ${notedNetworks(userIds)}
    update users set ${sql.ref(column)} = ${sql.ref(column)} + ${by}::integer
    from locked where users.id = locked.id`.execute(trx);
}

/** Locks a person's row if they are still new. @returns whether they are */
export async function lockNewcomer(trx: Trx, userId: number): Promise<boolean> {
  const newcomer = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('establishedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return newcomer !== undefined;
}

export async function establish(trx: Trx, userId: number, at: Date): Promise<void> {
  await trx.updateTable('users').set({ establishedAt: at }).where('id', '=', userId).execute();
}

/**
 * How many deals of a person are open: own proposals, rings agreed to and bids that wait, accepted ones, and exchanges about
 * which a claim is open or can be made, which were completed after `claimableSince`.
 */
export async function countOpen(trx: Trx, userId: number, claimableSince: Date): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select (
      select count(*) from exchange_parties as party join exchanges on exchanges.id = party.exchange_id
      where party.user_id = ${userId} and (party.status = 'accepted'
        or party.status = 'pending' and consented_at is not null
        or party.status = 'completed' and (completed_at > ${claimableSince}::timestamptz or exists (
          select from claims where claims.exchange_id = party.exchange_id and claims.status = 'open')))
    )::integer + (
      select count(*) from bids where bidder_id = ${userId} and status in ('pending', 'accepted') and exchange_id is null
    )::integer as open`.execute(trx);
  return rows[0]?.open ?? 0;
}

export type LogRow = Awaited<ReturnType<typeof listLogs>>['rows'][number];

const LOGS: ListOrder = {
  name: 'logs',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

export async function listLogs(
  db: Database,
  { userId, kind }: { readonly userId: number; readonly kind: LogKind },
  paging: Paging,
) {
  const page = openPage(paging, LOGS, COUNT_CAP);
  const own = db
    .selectFrom('transactionLogs')
    .where('transactionLogs.userId', '=', userId)
    .$if(kind !== 'all', (rows) =>
      rows.where('transactionLogs.action', kind === 'deals' ? 'not in' : 'in', [...ACCOUNT_ACTIONS]),
    );
  const firstOf = (side: 'requested' | 'offered') =>
    firstCoupon(sql.ref('exchanges.id'), sql.ref('exchanges.requesterId'), side);
  const shown = own
    .leftJoin('exchanges', 'exchanges.id', 'transactionLogs.exchangeId')
    .leftJoin('bids', 'bids.id', 'transactionLogs.bidId')
    .leftJoin('coupons as bidOn', 'bidOn.id', 'bids.couponId')
    .select(['transactionLogs.id', 'transactionLogs.action', 'transactionLogs.userId'])
    .select([
      'transactionLogs.details',
      'transactionLogs.text',
      'transactionLogs.exchangeId',
      'transactionLogs.couponId',
    ])
    .select(['transactionLogs.bidId', 'transactionLogs.paymentId'])
    .select(['transactionLogs.createdAt', 'exchanges.status as exchangeStatus'])
    .select([firstOf('requested').as('requestedCoupon'), firstOf('offered').as('offeredCoupon')])
    .select(['bids.status as bidStatus', 'bids.amount as bidAmount', couponSummary('bidOn').as('bidCoupon')])
    .$narrowType<{ action: LogAction; exchangeStatus: DealStatus | null; bidStatus: DealStatus | null }>();
  const rows = await page.select(shown, 'transactionLogs').execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, own.select('transactionLogs.id'), COUNT_CAP)) };
}
