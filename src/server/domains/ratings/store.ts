import { type Insertable, sql } from 'kysely';
import type { DealStatus, DealType } from '#contract/deals.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';
import type { DB } from '#server/database/types.ts';
import type { RatableDeal } from './rules.ts';

interface DealRow {
  readonly status: DealStatus;
  readonly firstId: number;
  readonly firstUsername: string;
  readonly firstHasLeft: boolean;
  readonly secondId: number;
  readonly secondUsername: string;
  readonly secondHasLeft: boolean;
  readonly isUndone: boolean;
}

/** A deal with its two people; undefined when there is none. */
export async function findDeal(
  db: Database | Trx,
  type: DealType,
  id: number,
): Promise<RatableDeal | undefined> {
  const deal =
    type === 'exchange'
      ? sql`select status, requester_id as first_id, owner_id as second_id, false as is_undone
          from exchanges where id = ${id}`
      : sql`select status, bidder_id as first_id, owner_id as second_id,
            exists (select from coupon_transfers where bid_id = bids.id and is_return) as is_undone
          from bids where id = ${id}`;
  const found = await sql<DealRow>`
    select deal.*, first.username as first_username, first.deleted_at is not null as first_has_left,
      second.username as second_username, second.deleted_at is not null as second_has_left
    from (${deal}) as deal
    join users as first on first.id = deal.first_id
    join users as second on second.id = deal.second_id`.execute(db);
  const [row] = found.rows;
  return (
    row && {
      type,
      id,
      status: row.status,
      isUndone: row.isUndone,
      people: [
        { id: row.firstId, username: row.firstUsername, hasLeft: row.firstHasLeft },
        { id: row.secondId, username: row.secondUsername, hasLeft: row.secondHasLeft },
      ],
    }
  );
}

/** Locks a deal, if there is one, until the transaction ends: of two who rate it, one comes after the other. */
export async function lockDeal(trx: Trx, type: DealType, id: number): Promise<void> {
  const table = type === 'exchange' ? 'exchanges' : 'bids';
  await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Fails with a unique violation of user_ratings_once at a second rating by the same side. */
export async function insertRating(trx: Trx, values: Insertable<DB['userRatings']>): Promise<number> {
  const row = await trx.insertInto('userRatings').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Shows the ratings of a deal from now on, those that can be seen already as before. */
export async function reveal(trx: Trx, type: DealType, dealId: number, at: Date): Promise<void> {
  await trx
    .updateTable('userRatings')
    .set({ visibleAt: at, updatedAt: at })
    .where('relatedEntityType', '=', type)
    .where('relatedEntityId', '=', dealId)
    .where('visibleAt', '>', at)
    .execute();
}

/** A rating that has just been marked as counted. */
export interface CountedRating {
  readonly ratedUserId: number;
  readonly rating: number;
}

/**
 * Marks ratings that can be seen by now as counted, those of one deal or up to `limit` of all: a compare-and-set,
 * so that each is handed out once. Those that somebody else is about to mark are left to them.
 */
export async function takeUncounted(
  trx: Trx,
  given: { at: Date; limit: number; deal?: { type: DealType; id: number } },
): Promise<CountedRating[]> {
  const { at, limit, deal } = given;
  return trx
    .with('due', (cte) =>
      cte
        .selectFrom('userRatings')
        .select('id')
        .where('isCounted', '=', false)
        .where('visibleAt', '<=', at)
        .$if(deal !== undefined, (query) =>
          query
            .where('relatedEntityType', '=', deal?.type ?? '')
            .where('relatedEntityId', '=', deal?.id ?? 0),
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
    .returning(['userRatings.ratedUserId', 'userRatings.rating'])
    .execute();
}

function selectRatings(db: Database | Trx) {
  return db
    .selectFrom('userRatings')
    .innerJoin('users as rater', 'rater.id', 'userRatings.raterId')
    .select(['userRatings.id', 'userRatings.raterId', 'rater.username as raterUsername'])
    .select(['userRatings.ratedUserId', 'userRatings.rating', 'userRatings.comment'])
    .select(['userRatings.relatedEntityType as dealType', 'userRatings.visibleAt', 'userRatings.createdAt'])
    .$narrowType<{ dealType: DealType }>();
}

export type RatingRow = Awaited<ReturnType<typeof ratingsOfDeal>>[number];

/** Both ratings of a deal, or one, or none; hidden ones included. */
export async function ratingsOfDeal(db: Database | Trx, type: DealType, dealId: number) {
  return selectRatings(db)
    .where('userRatings.relatedEntityType', '=', type)
    .where('userRatings.relatedEntityId', '=', dealId)
    .execute();
}

/** Whether somebody has a page that anybody can see: neither banned nor gone. */
export async function isOnDisplay(db: Database, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', '!=', 'banned')
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** A page of the ratings of a person that can be seen, those first that can be so since lately. */
export async function listVisible(db: Database, userId: number, at: Date, paging: Paging) {
  const offset = offsetOf(paging, COUNT_CAP);
  const visible = selectRatings(db)
    .where('userRatings.ratedUserId', '=', userId)
    .where('userRatings.visibleAt', '<=', at);
  const rows = await visible
    .orderBy('userRatings.visibleAt', 'desc')
    .orderBy('userRatings.id', 'desc')
    .limit(paging.limit)
    .offset(offset)
    .execute();
  return { rows, ...(await cappedTotal(db, visible, COUNT_CAP)) };
}
