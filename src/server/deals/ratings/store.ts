import { type Insertable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import { lockedPeople } from '#server/people/accounts/locked-people-sql.ts';
import type { Party, RatableDeal } from './rules.ts';
import { visibleRatings } from './visible-ratings-sql.ts';

interface DealRow {
  readonly status: DealStatus;
  readonly isUndone: boolean;
  readonly people: readonly Party[];
  readonly gives: RatableDeal['gives'];
}

export async function findDeal(
  db: Database | Trx,
  type: DealType,
  id: number,
): Promise<RatableDeal | undefined> {
  const deal =
    type === 'exchange'
      ? sql`select status, false as is_undone,
            array(select user_id from exchange_parties where exchange_id = ${id}) as person_ids,
            (select json_agg(json_build_object('giverId', giver_id, 'receiverId', receiver_id) order by place)
              from exchange_legs where exchange_id = ${id}) as gives
          from exchanges where id = ${id}`
      : sql`select status,
            exists (select from coupon_transfers where bid_id = bids.id and is_return) as is_undone,
            array[bidder_id, owner_id] as person_ids,
            json_build_array(json_build_object('giverId', owner_id, 'receiverId', bidder_id)) as gives
          from bids where id = ${id} and exchange_id is null`;
  const found = await sql<DealRow>`
    select status, is_undone, gives,
      (select json_agg(json_build_object('id', id, 'username', username, 'hasLeft', deleted_at is not null))
        from users where id = any(deal.person_ids)) as people
    from (${deal}) as deal`.execute(db);
  const [row] = found.rows;
  return row && { type, id, ...row };
}

/** Two people of a deal. */
export interface Pair {
  readonly type: DealType;
  readonly id: number;
  readonly userIds: readonly [number, number];
}

/** Locks a deal, so that its two ratings are written one after the other. */
export async function lockDeal(trx: Trx, type: DealType, id: number): Promise<void> {
  const table = type === 'exchange' ? 'exchanges' : 'bids';
  await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** @throws a unique violation of user_ratings_once on a second rating of the same person */
export async function insertRating(trx: Trx, values: Insertable<DB['userRatings']>): Promise<number> {
  const row = await trx.insertInto('userRatings').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Makes the hidden ratings of two people of each other visible. */
export async function showRatings(trx: Trx, { type, id, userIds }: Pair, at: Date): Promise<void> {
  await trx
    .updateTable('userRatings')
    .set({ visibleAt: at, updatedAt: at })
    .where('relatedEntityType', '=', type)
    .where('relatedEntityId', '=', id)
    .where('raterId', 'in', userIds)
    .where('ratedUserId', 'in', userIds)
    .where('visibleAt', '>', at)
    .execute();
}

/**
 * Marks visible ratings as counted, of two people of one deal or up to `limit` of all, and returns whom each is of. Skips rows that
 * another transaction has locked.
 */
export async function claimUncounted(
  trx: Trx,
  given: { at: Date; limit: number; pair?: Pair },
): Promise<number[]> {
  const { at, limit, pair } = given;
  const rows = await trx
    .with('due', (cte) =>
      cte
        .selectFrom('userRatings')
        .select('id')
        .where('isCounted', '=', false)
        .where('visibleAt', '<=', at)
        .$if(pair !== undefined, (query) =>
          query
            .where('relatedEntityType', '=', pair?.type ?? '')
            .where('relatedEntityId', '=', pair?.id ?? 0)
            .where('raterId', 'in', pair?.userIds ?? [])
            .where('ratedUserId', 'in', pair?.userIds ?? []),
        )
        .orderBy('visibleAt')
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('userRatings')
    .from('due')
    .set({ isCounted: true })
    .whereRef('userRatings.id', '=', 'due.id')
    .returning('userRatings.ratedUserId')
    .execute();
  return rows.map(({ ratedUserId }) => ratedUserId);
}

function selectRatings(db: Database | Trx) {
  return db
    .selectFrom('userRatings')
    .innerJoin('users as rater', 'rater.id', 'userRatings.raterId')
    .select(['userRatings.id', 'userRatings.raterId', 'rater.username as raterUsername'])
    .select('rater.pictureId as raterPictureId')
    .select(['userRatings.ratedUserId', 'userRatings.rating', 'userRatings.comment'])
    .select(['userRatings.relatedEntityType as dealType', 'userRatings.visibleAt', 'userRatings.createdAt'])
    .$narrowType<{ dealType: DealType }>();
}

export type RatingRow = Awaited<ReturnType<typeof ratingsOfDeal>>[number];

/** Up to two ratings of two people of each other, hidden ones included. */
export async function ratingsOfDeal(db: Database | Trx, { type, id, userIds }: Pair) {
  return selectRatings(db)
    .where('userRatings.relatedEntityType', '=', type)
    .where('userRatings.relatedEntityId', '=', id)
    .where('userRatings.raterId', 'in', userIds)
    .where('userRatings.ratedUserId', 'in', userIds)
    .execute();
}

/** Whether a person has a public page: neither banned nor gone. */
export async function hasPublicPage(db: Database, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', '!=', 'banned')
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

const NEWEST: ListOrder = {
  name: 'ratings',
  direction: 'desc',
  by: [
    ['visibleAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

/** A page of a person's visible ratings, most recently visible first. */
export async function listVisible(db: Database, userId: number, at: Date, paging: Paging) {
  const page = openPage(paging, NEWEST, COUNT_CAP);
  const visible = selectRatings(db)
    .where('userRatings.ratedUserId', '=', userId)
    .where('userRatings.visibleAt', '<=', at);
  const rows = await page.select(visible, 'userRatings').execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, visible, COUNT_CAP)) };
}

/** Adds up the visible ratings of people again. Locks the people. */
export async function putTotals(trx: Trx, userIds: readonly number[], at: Date): Promise<void> {
  if (userIds.length === 0) return;
  // A statement of its own: the next one sees what those have committed that it has waited for.
  await sql`with ${lockedPeople(userIds)} select from locked`.execute(trx);
  await sql`
    update users set rating_count = coalesce(found, 0), total_rating = coalesce(total, 0)
    from unnest(${[...userIds]}::integer[]) as given (id)
      left join (${visibleRatings(userIds, at)}) as rated on rated.user_id = given.id
    where users.id = given.id`.execute(trx);
}
