import { type Insertable, sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { DealStatus, DealType } from '#contract/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
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

/** Locks a deal, so that its two ratings are written one after the other. */
export async function lockDeal(trx: Trx, type: DealType, id: number): Promise<void> {
  const table = type === 'exchange' ? 'exchanges' : 'bids';
  await trx.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** @throws a unique violation of user_ratings_once on a second rating by the same side */
export async function insertRating(trx: Trx, values: Insertable<DB['userRatings']>): Promise<number> {
  const row = await trx.insertInto('userRatings').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Makes the hidden ratings of a deal visible. */
export async function showRatings(trx: Trx, type: DealType, dealId: number, at: Date): Promise<void> {
  await trx
    .updateTable('userRatings')
    .set({ visibleAt: at, updatedAt: at })
    .where('relatedEntityType', '=', type)
    .where('relatedEntityId', '=', dealId)
    .where('visibleAt', '>', at)
    .execute();
}

export interface CountedRating {
  readonly ratedUserId: number;
  readonly rating: number;
}

/**
 * Marks visible ratings as counted, of one deal or up to `limit` of all, and returns each once. Skips rows that another
 * transaction has locked.
 */
export async function claimUncounted(
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
    .select('rater.pictureId as raterPictureId')
    .select(['userRatings.ratedUserId', 'userRatings.rating', 'userRatings.comment'])
    .select(['userRatings.relatedEntityType as dealType', 'userRatings.visibleAt', 'userRatings.createdAt'])
    .$narrowType<{ dealType: DealType }>();
}

export type RatingRow = Awaited<ReturnType<typeof ratingsOfDeal>>[number];

/** Up to two ratings of a deal, hidden ones included. */
export async function ratingsOfDeal(db: Database | Trx, type: DealType, dealId: number) {
  return selectRatings(db)
    .where('userRatings.relatedEntityType', '=', type)
    .where('userRatings.relatedEntityId', '=', dealId)
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
