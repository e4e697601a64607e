import { type RawBuilder, sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealReason, DealStatus, ExchangeKind } from '#contract/deals/deals.ts';
import type { ExchangeTab } from '#contract/deals/exchanges.ts';
import { isSaleStopped } from '#server/coupons/core/coupon-summary-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { mentionsTyped } from '#server/database/search-words.ts';
import { EXCHANGE_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';
import { hasTitleLike, legsOf, partiesOf } from '#server/deals/lifecycle/exchange-legs-sql.ts';
import type { Terms } from '#server/deals/lifecycle/terms.ts';

/** A new leg; its place is its position in the list. */
export interface LegPlan {
  readonly couponId: number;
  readonly giverId: number;
  readonly receiverId: number;
  /** What the receiver pays besides, a decimal text in the base currency. */
  readonly price: string | null;
}

interface NewExchange {
  readonly kind: ExchangeKind;
  readonly requesterId: number;
  readonly message: string | null;
  readonly consentBy: Date | null;
  /** The proposal that it answers. */
  readonly replacesId?: number;
  /** What each party puts up, a decimal text in the base currency; null: nothing. */
  readonly deposit: string | null;
  readonly legs: readonly LegPlan[];
  /** What the author was shown. */
  readonly terms: Terms;
  readonly at: Date;
}

/**
 * Inserts an exchange with its legs and parties; the author has consented.
 * @throws a unique violation of exchanges_one_pending on a second request for the same coupon
 */
export async function insertExchange(trx: Trx, given: NewExchange): Promise<number> {
  const { kind, requesterId, message, consentBy, replacesId, deposit, legs, terms, at } = given;
  const { id } = await trx
    .insertInto('exchanges')
    .values({ kind, requesterId, message, consentBy, replacesId, deposit, createdAt: at, updatedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const people = [...new Set(legs.map(({ giverId }) => giverId))].sort((a, b) => a - b);
  // Triggers fill in the rest of both tables.
  await sql`
    insert into exchange_parties (exchange_id, user_id, consented_at, terms)
    select ${id}::integer, person, case when person = ${requesterId}::integer then ${at}::timestamptz end,
      case when person = ${requesterId}::integer then ${terms}::jsonb end
    from unnest(${people}::integer[]) as person`.execute(trx);
  await insertLegs(trx, id, legs);
  return id;
}

async function insertLegs(trx: Trx, id: number, legs: readonly LegPlan[]): Promise<void> {
  const each = (of: (leg: LegPlan) => number) => sql`${legs.map(of)}::integer[]`;
  await sql`
    insert into exchange_legs (exchange_id, place, coupon_id, giver_id, receiver_id, price)
    select ${id}::integer, leg.place, leg.coupon_id, leg.giver_id, leg.receiver_id, leg.price
    from unnest(${each(({ couponId }) => couponId)}, ${each(({ giverId }) => giverId)},
      ${each(({ receiverId }) => receiverId)}, ${legs.map(({ price }) => price)}::numeric[])
      with ordinality as leg (coupon_id, giver_id, receiver_id, price, place)`.execute(trx);
}

/**
 * Inserts an exchange of a market day, whose people have agreed beforehand: it is accepted at once.
 * @param given.requesterId one of them; nobody has proposed it
 */
export async function insertAgreed(
  trx: Trx,
  given: Pick<NewExchange, 'kind' | 'requesterId' | 'legs' | 'terms' | 'at'> & { readonly marketDay: string },
): Promise<number> {
  const { kind, requesterId, marketDay, legs, terms, at } = given;
  const { id } = await trx
    .insertInto('exchanges')
    .values({
      ...{ kind, requesterId, marketDay, status: 'accepted', acceptedAt: at, createdAt: at, updatedAt: at },
      consentBy: kind === 'ring' ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const people = [...new Set(legs.map(({ giverId }) => giverId))].sort((a, b) => a - b);
  await sql`
    insert into exchange_parties (exchange_id, user_id, consented_at, terms)
    select ${id}::integer, person, ${at}::timestamptz, ${terms}::jsonb
    from unnest(${people}::integer[]) as person`.execute(trx);
  await insertLegs(trx, id, legs);
  return id;
}

/** The title of a coupon that its owner offers in more than `most` pending proposals; null if there is none. */
export async function findOverOffered(
  trx: Trx,
  { requesterId, ids, most }: { requesterId: number; ids: readonly number[]; most: number },
): Promise<string | null> {
  const { rows } = await sql<{ title: string }>`
    select title from coupons where id = any(${[...ids]}::integer[]) and (
      select count(*) from exchange_legs as leg join exchange_parties as author
        on author.exchange_id = leg.exchange_id and author.user_id = leg.giver_id and author.is_author
      where leg.coupon_id = coupons.id and leg.status = 'pending' and leg.giver_id = ${requesterId}) > ${most}
    limit 1`.execute(trx);
  return rows[0]?.title ?? null;
}

/**
 * Replaces the legs of a pending swap, and takes back all consents but the author's, who agrees at these terms. Lock the
 * exchange first.
 * @throws a unique violation of exchanges_one_pending
 */
export async function replaceLegs(
  trx: Trx,
  id: number,
  legs: readonly LegPlan[],
  terms: Terms,
): Promise<void> {
  await trx.deleteFrom('exchangeLegs').where('exchangeId', '=', id).execute();
  await insertLegs(trx, id, legs);
  await trx
    .updateTable('exchangeParties')
    .set({ consentedAt: null, terms: null })
    .where('exchangeId', '=', id)
    .where('isAuthor', '=', false)
    .where('consentedAt', 'is not', null)
    .execute();
  await trx
    .updateTable('exchangeParties')
    .set({ terms })
    .where('exchangeId', '=', id)
    .where('isAuthor', '=', true)
    .execute();
}

/** Exchanges with their parties and legs. */
function selectExchanges(db: Database | Trx) {
  const id = sql.ref('exchanges.id');
  return db
    .selectFrom('exchanges')
    .select(['exchanges.id', 'exchanges.kind', 'exchanges.version', 'exchanges.status'])
    .select([
      'exchanges.reason',
      'exchanges.endedById',
      'exchanges.message',
      'exchanges.requesterId',
      'exchanges.deposit',
    ])
    .select(sql<string | null>`exchanges.market_day::text`.as('marketDay'))
    .select(['exchanges.consentBy', 'exchanges.createdAt', 'exchanges.updatedAt'])
    .select(['exchanges.acceptedAt', 'exchanges.completedAt', 'exchanges.round', 'exchanges.replacesId'])
    .select((from) =>
      from
        .selectFrom('exchanges as next')
        .select('next.id')
        .whereRef('next.replacesId', '=', 'exchanges.id')
        .as('replacedById'),
    )
    .select([legsOf(id).as('legs'), partiesOf(id).as('parties'), EXCHANGE_DEADLINE.as('deadlineAt')])
    .$narrowType<{ kind: ExchangeKind; status: DealStatus; reason: DealReason | null }>();
}

export type ExchangeRow = NonNullable<Awaited<ReturnType<typeof findExchange>>>;

export async function findExchange(db: Database | Trx, id: number) {
  return selectExchanges(db).where('exchanges.id', '=', id).executeTakeFirst();
}

/** The exchanges with these ids, in no order. */
export async function findExchanges(db: Database, ids: readonly number[]): Promise<ExchangeRow[]> {
  return selectExchanges(db).where('exchanges.id', '=', sql<number>`any(${ids}::integer[])`).execute();
}

/** Locks an exchange and reads it. Lock its coupons first: nobody changes its legs or consents without them. */
export async function findLocked(trx: Trx, id: number): Promise<ExchangeRow | undefined> {
  return selectExchanges(trx).where('exchanges.id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** All rounds of an exchange's negotiation, the first one first. */
export async function listRounds(db: Database, id: number): Promise<ExchangeRow[]> {
  return selectExchanges(db)
    .where('exchanges.threadId', '=', (from) =>
      from.selectFrom('exchanges').select('threadId').where('id', '=', id),
    )
    .orderBy('exchanges.round')
    .execute();
}

export type TradedCoupon = Awaited<ReturnType<typeof lockTradedCoupons>>[number];

/** Locks the coupons that an exchange has before the wait, in id order; none for strangers. */
export async function lockTradedCoupons(trx: Trx, exchangeId: number, userId: number) {
  return trx
    .selectFrom('coupons')
    .select(['id', 'ownerId', 'title', 'isActive', 'deletedAt', 'category', 'expiresAt'])
    .select(isSaleStopped.as('isSaleStopped'))
    .where('id', 'in', (from) =>
      from
        .selectFrom('exchangeLegs as leg')
        .innerJoin('exchangeParties as party', 'party.exchangeId', 'leg.exchangeId')
        .select('leg.couponId')
        .where('leg.exchangeId', '=', exchangeId)
        .where('party.userId', '=', userId),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks an exchange and returns its status and the version of its legs. Lock its coupons first. */
export async function lockExchange(trx: Trx, id: number): Promise<{ status: DealStatus; version: number }> {
  return trx
    .selectFrom('exchanges')
    .select(['status', 'version'])
    .where('id', '=', id)
    .$narrowType<{ status: DealStatus }>()
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Compare-and-set: throws when the exchange is not pending, which its lock rules out.
 * @param change.message, change.deposit undefined: stays
 */
export async function reviseExchange(
  trx: Trx,
  id: number,
  change: { message: string | null | undefined; deposit: string | null | undefined; hasNewLegs: boolean },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('exchanges')
    .set({ message: change.message, deposit: change.deposit, updatedAt: at })
    .$if(change.hasNewLegs, (update) => update.set({ version: sql`version + 1` }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * Stores that a party agrees to a pending exchange; the last consent accepts it. Compare-and-set: throws when the party has
 * agreed before. The database refuses to accept what somebody has not agreed to. Lock its coupons and the exchange first.
 */
export async function consent(
  trx: Trx,
  id: number,
  given: { userId: number; isLast: boolean; terms: Terms; at: Date },
): Promise<void> {
  const { userId, isLast, terms, at } = given;
  const { rows } = await sql`
    with agreed as (
      update exchange_parties set consented_at = ${at}, terms = ${terms}::jsonb
      where exchange_id = ${id} and user_id = ${userId} and consented_at is null returning user_id)
    update exchanges set updated_at = ${at},
      status = case when ${isLast}::boolean then 'accepted' else status end,
      accepted_at = case when ${isLast}::boolean then ${at}::timestamptz else accepted_at end
    from agreed where id = ${id} and status = 'pending' returning id`.execute(trx);
  if (rows.length === 0)
    throw new Error(`Exchange ${id} is not pending, or ${userId} has agreed to it before`);
}

/** Compare-and-set: throws when the exchange is not in the state `from`. @param given.endedById whose act ended it */
export async function moveExchange(
  trx: Trx,
  id: number,
  given: {
    from: DealStatus;
    to: 'rejected' | 'cancelled' | 'completed';
    reason: DealReason | null;
    endedById: number | null;
    at: Date;
  },
): Promise<void> {
  const { from, to, reason, endedById, at } = given;
  await trx
    .updateTable('exchanges')
    .set({ status: to, reason, endedById, updatedAt: at })
    .$if(to === 'completed', (update) => update.set({ completedAt: at }))
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow();
}

interface ListFilter {
  readonly userId: number;
  readonly tab: ExchangeTab;
  readonly search: string;
}

const NEWEST: ListOrder = {
  name: 'exchanges',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['exchangeId', 'integer'],
  ],
};

/** Where a person takes part, in one index. */
function partsOf(db: Database, { userId, tab, search }: ListFilter) {
  return db
    .selectFrom('exchangeParties as part')
    .where('part.userId', '=', userId)
    .$if(tab === 'pending' || tab === 'completed', (query) => query.where('part.status', '=', tab))
    .$if(tab === 'requested' || tab === 'received', (query) =>
      query.where('part.isAuthor', '=', tab === 'requested'),
    )
    .$if(search !== '', (query) => query.where(isAbout(sql.ref('part.exchangeId'), search)))
    .select(['part.exchangeId', 'part.createdAt']);
}

/** Whether what is typed fits a title or a name of an exchange. */
function isAbout(exchangeId: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  return sql<boolean>`(${hasTitleLike(exchangeId, typed)} or exists (
    select from exchange_parties as party join users on users.id = party.user_id
    where party.exchange_id = ${exchangeId} and ${mentionsTyped(sql`username`, typed)}))`;
}

/** A page of a person's exchanges, newest first. The search folds texts. */
export async function listExchanges(db: Database, filter: ListFilter, paging: Paging) {
  const page = openPage(paging, NEWEST, COUNT_CAP);
  const found = page.select(partsOf(db, filter), 'part');
  const shown = selectExchanges(db)
    .innerJoin(found.as('found'), 'found.exchangeId', 'exchanges.id')
    .select('found.rowKeys')
    .orderBy('exchanges.createdAt', page.direction)
    .orderBy('exchanges.id', page.direction);
  const rows = await shown.execute();
  return { ...page.finish(rows), ...(await cappedTotal(db, partsOf(db, filter), COUNT_CAP)) };
}
