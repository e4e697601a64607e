import { sql } from 'kysely';
import { decimalToCents } from '#contract/base/money.ts';
import type { DealType } from '#contract/deals/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { BID_DEADLINE, EXCHANGE_DEADLINE } from './deadlines-sql.ts';
import type { DueDeal, FoundDeal, OpenStatus } from './decide.ts';
import type { EndedBid, EndedExchange, RuleReason } from './rules.ts';

/** Locks deals of a kind in id order: those with these ids that are open, and the pending ones on these coupons. */
export async function lockDeals(
  trx: Trx,
  kind: DealType,
  { ids, couponIds }: { ids: readonly number[]; couponIds: readonly number[] },
): Promise<FoundDeal[]> {
  const named = sql`${[...ids]}::integer[]`;
  const coupons = sql`${[...couponIds]}::integer[]`;
  const open = sql`status in ('pending', 'accepted')`;
  const { rows } =
    kind === 'bid'
      ? await sql<Omit<FoundDeal, 'kind'>>`
          select id, status, round as version from bids where (status = 'pending' or id = any(${named})) and ${open}
            and id in (select unnest(${named}) union all select id from bids where coupon_id = any(${coupons}) and ${open})
          order by id for no key update`.execute(trx)
      : await sql<Omit<FoundDeal, 'kind'>>`
          select id, status, version from exchanges where (status = 'pending' or id = any(${named})) and ${open}
            and id in (
              select unnest(${named}) union all
              select exchange_id from exchange_legs where coupon_id = any(${coupons}) and ${open})
          order by id for no key update`.execute(trx);
  return rows.map((deal) => ({ ...deal, kind }));
}

/**
 * Ends the exchanges that are still in the state `from`.
 * @param causeIds the coupons that caused it, named in the notice
 */
export async function endExchanges(
  trx: Trx,
  given: {
    ids: readonly number[];
    from: OpenStatus;
    to: 'rejected' | 'cancelled';
    reason: RuleReason;
    causeIds: readonly number[];
    at: Date;
  },
): Promise<EndedExchange[]> {
  const { rows } = await sql<Omit<EndedExchange, 'kind' | 'from' | 'causeId'>>`
    with ended as (
      update exchanges set status = ${given.to}, reason = ${given.reason}, updated_at = ${given.at}
      where id = any(${[...given.ids]}::integer[]) and status = ${given.from}
      returning id, kind, round)
    select ended.id, ended.kind as deal_kind, ended.round,
      (select json_agg(json_build_object('id', users.id, 'username', username) order by is_author desc, users.id)
        from exchange_parties join users on users.id = user_id where exchange_id = ended.id) as parties,
      (select json_agg(json_build_object('couponId', coupon_id, 'title', title, 'giverId', giver_id,
          'receiverId', receiver_id, 'isPriced', price is not null) order by place)
        from exchange_legs join coupons on coupons.id = coupon_id where exchange_id = ended.id) as legs
    from ended order by ended.id`.execute(trx);
  return rows.map((deal) => ({
    ...deal,
    kind: 'exchange',
    from: given.from,
    causeId: deal.legs.find(({ couponId }) => given.causeIds.includes(couponId))?.couponId ?? null,
  }));
}

/** Ends the bids that are still in the state `from`. */
export async function endBids(
  trx: Trx,
  given: {
    ids: readonly number[];
    from: OpenStatus;
    to: 'rejected' | 'cancelled';
    reason: RuleReason;
    at: Date;
  },
): Promise<EndedBid[]> {
  const rows = await trx
    .updateTable('bids')
    .from('users as bidder')
    .from('users as owner')
    .from('coupons')
    .set({ status: given.to, reason: given.reason, updatedAt: given.at })
    .where('bids.id', '=', sql<number>`any(${[...given.ids]}::integer[])`)
    .where('bids.status', '=', given.from)
    .whereRef('bidder.id', '=', 'bids.bidderId')
    .whereRef('owner.id', '=', 'bids.ownerId')
    .whereRef('coupons.id', '=', 'bids.couponId')
    .returning(['bids.id', 'bids.bidderId', 'bids.ownerId', 'bids.amount', 'bids.round', 'bids.couponId'])
    .returning(['bidder.username as bidderUsername', 'owner.username as ownerUsername'])
    .returning(['coupons.title as couponTitle', 'bids.beginBy', 'bids.isAutomatic'])
    .execute();
  return rows.map(({ amount, beginBy, ...deal }) => ({
    ...deal,
    hasBegun: beginBy === null,
    kind: 'bid',
    from: given.from,
    amount: decimalToCents(amount),
  }));
}

export interface OpenDeal {
  readonly kind: 'exchange' | 'bid';
  readonly id: number;
  readonly couponIds: readonly number[];
}

/** The buyer has paid, and the provider has not confirmed it yet. */
const IS_BEING_PAID = sql<boolean>`exists (
  select from payment_transactions where payment_transactions.bid_id = bids.id and status = 'processing')`;

export async function listOpenDeals(db: Database | Trx, userId: number, limit: number): Promise<OpenDeal[]> {
  const found = await sql<OpenDeal>`
    (select 'exchange' as kind, exchange_id as id,
        array(select coupon_id from exchange_legs as leg where leg.exchange_id = party.exchange_id order by place) as coupon_ids
      from exchange_parties as party
      where user_id = ${userId} and status in ('pending', 'accepted') limit ${limit})
    union all
    (select 'bid', id, array[coupon_id] from bids
      where bidder_id = ${userId} and status in ('pending', 'accepted') and exchange_id is null and not ${IS_BEING_PAID} limit ${limit})
    union all
    (select 'bid', id, array[coupon_id] from bids
      where owner_id = ${userId} and status in ('pending', 'accepted') and exchange_id is null and not ${IS_BEING_PAID} limit ${limit})
    limit ${limit}`.execute(db);
  return found.rows;
}

/** Locks the exchanges that are still open, in id order. Lock their coupons first. */
export async function lockOpenExchanges(trx: Trx, ids: readonly number[]) {
  const open = await trx
    .selectFrom('exchanges')
    .select(['id', 'status'])
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('status', 'in', ['pending', 'accepted'])
    .$narrowType<{ status: OpenStatus }>()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (open.length === 0) return [];
  // A separate statement, so that it sees legs that were changed while this one waited for the lock.
  const legs = await trx
    .selectFrom('exchangeLegs')
    .select(['exchangeId', 'couponId'])
    .where(
      'exchangeId',
      'in',
      open.map(({ id }) => id),
    )
    .execute();
  return open.map((deal) => ({
    ...deal,
    kind: 'exchange' as const,
    couponIds: legs.filter(({ exchangeId }) => exchangeId === deal.id).map(({ couponId }) => couponId),
  }));
}

/** Locks the bids that are still open and not being paid. Payments only move while their coupon is locked. */
export async function lockOpenBids(trx: Trx, ids: readonly number[]) {
  const open = await trx
    .selectFrom('bids')
    .select(['id', 'status'])
    .where('id', '=', sql<number>`any(${[...ids]}::integer[])`)
    .where('status', 'in', ['pending', 'accepted'])
    .where(({ not }) => not(IS_BEING_PAID))
    .$narrowType<{ status: OpenStatus }>()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return open.map((deal) => ({ ...deal, kind: 'bid' as const }));
}

/**
 * Up to `limit` per reason, oldest first: past a deadline, or pending on an expired coupon. Payments end the accepted ones
 * that are to be paid.
 */
export async function listDueExchanges(
  db: Database,
  given: { now: Date; pendingBefore: Date; acceptedBefore: Date; limit: number },
): Promise<DueDeal[]> {
  const { now, pendingBefore, acceptedBefore, limit } = given;
  const isDue = sql`(${EXCHANGE_DEADLINE} <= ${now})`;
  const found = await sql<DueDeal>`
    select 'exchange' as kind, due.*, array(select coupon_id from exchange_legs where exchange_id = due.id order by place) as coupon_ids
    from (
      (select id, status as "from", 'deadline' as reason, version
        from exchanges where status = 'pending' and created_at <= ${pendingBefore} and ${isDue} order by created_at limit ${limit})
      union all
      (select id, status, 'deadline', version
        from exchanges where status = 'pending' and created_at > ${pendingBefore} and consent_by <= ${now} and ${isDue}
        order by consent_by limit ${limit})
      union all
      (select id, status, 'deadline', version
        from exchanges where status = 'accepted' and accepted_at <= ${acceptedBefore} and ${isDue}
          and not exists (select from bids where bids.exchange_id = exchanges.id)
        order by accepted_at limit ${limit})
      union all
      (select id, status, 'deadline', version
        from exchanges where status = 'accepted' and deposit is not null and accepted_at > ${acceptedBefore} and ${isDue}
        order by accepted_at limit ${limit})
      union all
      (select id, status, 'coupon_expired', version
        from exchanges where status = 'pending' and not ${isDue} and exists (
          select from exchange_legs join coupons on coupons.id = coupon_id
          where exchange_id = exchanges.id and coupons.expires_at < ${now})
        order by created_at limit ${limit})) as due`.execute(db);
  return found.rows;
}

/** Like listDueExchanges, for pending bids. Payments end the accepted bids that nobody pays. */
export async function listDueBids(
  db: Database,
  given: { now: Date; pendingBefore: Date; limit: number },
): Promise<DueDeal[]> {
  const { now, pendingBefore, limit } = given;
  const isDue = sql`(${BID_DEADLINE} <= ${now})`;
  const found = await sql<DueDeal>`
    (select 'bid' as kind, id, status as "from", 'deadline' as reason, array[coupon_id] as coupon_ids, round as version
      from bids where status = 'pending' and created_at <= ${pendingBefore} and ${isDue}
      order by created_at limit ${limit})
    union all
    (select 'bid', id, status, 'deadline', array[coupon_id], round
      from bids where status = 'pending' and created_at > ${pendingBefore} and answer_by <= ${now} and ${isDue}
      order by answer_by limit ${limit})
    union all
    (select 'bid', id, status, 'coupon_expired', array[coupon_id], round
      from bids where status = 'pending' and not ${isDue} and exists (
        select from coupons where coupons.id = bids.coupon_id and coupons.expires_at < ${now})
      order by created_at limit ${limit})`.execute(db);
  return found.rows;
}
