import { type RawBuilder, sql } from 'kysely';
import type { FirstSteps } from '#contract/oversight/profiles.ts';
import type { Database } from '#server/database/client.ts';

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

/**
 * A person with a public profile: neither banned nor deleted. `answerSeconds`: in how long they answer; null where that is of
 * fewer answers than `answers.least`.
 */
export async function findPerson(
  db: Database,
  id: number,
  { viewerId, answers }: { readonly viewerId: number | null; readonly answers: AnswerWindow },
) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'bio', 'pictureId', 'country', 'isFeatured', 'createdAt', 'awayUntil'])
    .select('failedCodes')
    .select(
      sql<Date | null>`date_trunc('hour', greatest(last_login_at,
        (select max(last_seen_at) from sessions where sessions.user_id = users.id and not is_defence)))`.as(
        'lastSeenAt',
      ),
    )
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('userBlocks')
          .where('blockerId', '=', viewerId ?? 0)
          .whereRef('blockedId', '=', 'users.id'),
      ).as('isBlocked'),
    )
    .select(medianAnswer(id, answers).as('answerSeconds'))
    .$narrowType<{ isBlocked: boolean }>()
    .where('id', '=', id)
    .where('status', '!=', 'banned')
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Whether a person has a coupon, and looks for one. */
export async function findFirstSteps(db: Database, userId: number): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from coupons where owner_id = ${userId} and deleted_at is null) as has_coupon,
      exists (select from wants where user_id = ${userId}) as has_wish`.execute(db);
  return rows[0] ?? { hasCoupon: false, hasWish: false };
}

/** How many coupons a person has, including imported public codes. */
export async function countCoupons(db: Database, ownerId: number): Promise<number> {
  const { found } = await db
    .selectFrom('coupons')
    .select((select) => select.fn.countAll<number>().as('found'))
    .where('ownerId', '=', ownerId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return found;
}

/** The face value, in cents, of the coupons that a person has used since then, without percentages. */
export async function sumUsed(db: Database, ownerId: number, since: Date): Promise<number> {
  const { used } = await db
    .selectFrom('coupons')
    .select(sql<number>`coalesce(sum(value), 0)::bigint`.as('used'))
    .where('ownerId', '=', ownerId)
    .where('usedAt', '>=', since)
    .where('discountType', '=', 'fixed')
    .executeTakeFirstOrThrow();
  return used;
}

/** A person's gains from deals in cents, and what they paid as a decimal text. */
export interface SavingsRow {
  /** From completed exchanges: face value received minus face value given. */
  readonly swapped: number;
  /** From purchases that were not refunded: face value. */
  readonly bought: number;
  /** For these purchases: bids and buyer's fees. */
  readonly paid: string;
}

/**
 * Adds up the deals in which all coupons have a fixed value. A purchase that is refunded or about to be does not count.
 */
export async function sumSavings(db: Database, userId: number): Promise<SavingsRow> {
  const found = await sql<SavingsRow>`
    select swaps.swapped, purchases.bought, purchases.paid
    from (
      select coalesce(sum(gain), 0)::bigint as swapped
      from (
        select sum((coupons.value - 100 * coalesce(leg.price, 0))
          * case when leg.receiver_id = ${userId} then 1 else -1 end)::bigint as gain
        from exchange_parties as party
        join exchange_legs as leg on leg.exchange_id = party.exchange_id
          and ${userId} in (leg.giver_id, leg.receiver_id)
        join coupons on coupons.id = leg.coupon_id
        where party.user_id = ${userId} and party.status = 'completed'
        group by leg.exchange_id having bool_and(coupons.discount_type = 'fixed')) as mine) as swaps
    cross join (
      select coalesce(sum(coupons.value), 0)::bigint as bought,
        coalesce(sum(payments.amount + payments.buyer_fee), 0)::numeric(20, 2) as paid
      from bids
      join coupons on coupons.id = bids.coupon_id and coupons.discount_type = 'fixed'
      join payment_transactions as payments on payments.bid_id = bids.id
        and payments.status in ('held', 'releasing', 'completed')
      where bids.status = 'completed' and bids.bidder_id = ${userId} and bids.exchange_id is null) as purchases`.execute(
    db,
  );
  return found.rows[0] ?? { swapped: 0, bought: 0, paid: '0.00' };
}

/** What a person's answers are counted from. */
interface AnswerWindow {
  readonly since: Date;
  /** What is still open counts as unanswered if it is older. */
  readonly overdueBefore: Date;
  /** How many bids and swaps at least. */
  readonly least: number;
}

/** How many of the newest lines of a history are looked at. */
const LINES = 300;

/**
 * The median time, in seconds, in which a person answered the bids and swaps of others; what they left unanswered counts
 * as the longest. What ended without them (an asking price accepted it, the other side withdrew) does not count.
 */
function medianAnswer(
  userId: number,
  { since, overdueBefore, least }: AnswerWindow,
): RawBuilder<number | null> {
  return sql<number | null>`(
    with lines as (
      select bid_id, exchange_id, actor_id, action, created_at from counted_history
      where user_id = ${userId} and created_at > ${since} order by created_at desc, id desc limit ${sql.lit(LINES)}),
    deals as (
      select min(created_at) filter (where action = 'created' and actor_id <> ${userId}) as asked_at,
        min(created_at) filter (where actor_id = ${userId}) as answered_at,
        bool_or(actor_id is distinct from ${userId} and action in ('accepted', 'cancelled')) as is_over
      from lines where bid_id is not null or exchange_id is not null group by bid_id, exchange_id)
    select extract(epoch from percentile_disc(0.5) within group (
      order by coalesce(answered_at, asked_at + interval '1 year') - asked_at))::integer
    from deals
    where asked_at is not null and (answered_at is not null or not is_over and asked_at < ${overdueBefore})
    having count(*) >= ${least})`;
}
