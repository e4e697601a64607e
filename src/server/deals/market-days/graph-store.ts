import { sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { ENDS_AT, isWanted, WANT_COLUMNS } from '#server/coupons/core/coupon-filter-sql.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Offered } from './rules.ts';

/** Of the coupons that a wish would take, so many are looked at: those that came last. */
const TAKES_MAX = 500;

interface Now {
  readonly day: string;
  readonly now: Date;
  /** What was agreed to later takes part the next day. */
  readonly agreedUntil: Date;
}

/** Whether somebody (`users`) takes part: neither suspended nor banned, gone or away. */
const takesPart = (
  day: string,
) => sql<boolean>`(users.status in ('active', 'warned') and users.deleted_at is null
  and coalesce(users.away_until <= ${day}::date, true))`;

/** Whether a coupon (`coupons`) can change hands now. */
const canMove = (now: Date) => sql<boolean>`(coupons.is_active and coupons.transferable <> 'no'
  and ${ENDS_AT} > ${now} and coupons.category <> all(${PERSONAL_CATEGORIES}::text[])
  and not exists (select from coupon_reservations where coupon_reservations.coupon_id = coupons.id)
  and not exists (select from reissues where reissues.coupon_id = coupons.id and next_try_at is not null))`;

const coupons = ({ day, now, agreedUntil }: Now) => sql`(
  select coupons.id, coupons.owner_id, consent.min_value, coupons.updated_at
  from coupon_consents as consent
  join coupons on coupons.id = consent.coupon_id and coupons.owner_id = consent.owner_id
  join users on users.id = coupons.owner_id
  where consent.until >= ${day}::date and consent.created_at <= ${agreedUntil} and ${takesPart(day)} and ${canMove(now)})`;

const wants = ({ day, agreedUntil }: Now) => sql`(
  select wants.id, wants.user_id, consent.times, coalesce(consent.min_value, wants.min_value) as min_value,
    consent.min_health, wants.gives, consent.created_at
  from want_consents as consent join wants on wants.id = consent.want_id join users on users.id = wants.user_id
  where consent.until >= ${day}::date and consent.created_at <= ${agreedUntil} and not wants.is_paused
    and wants.gives <> 'nothing' and ${takesPart(day)})`;

/** A leg of a ring, as it was when the market was frozen. */
export interface Frozen {
  readonly couponId: number;
  readonly updatedAt: Date;
  readonly giverId: number;
  readonly receiverId: number;
  readonly wantId: number;
}

/**
 * The coupons and wishes that can be traded, and which wish takes which coupon. The coupons of merchants in `connected` (whose
 * programmes are asked) have to be confirmed since `confirmedSince`, others as sure as the wish asks.
 */
export async function readOffered(
  trx: Trx,
  given: Now & { readonly connected: readonly string[]; readonly confirmedSince: Date },
): Promise<Omit<Offered, 'allowances'>> {
  const { now, connected, confirmedSince } = given;
  const { rows: couponRows } = await sql<Offered['coupons'][number]>`${coupons(given)} order by id`.execute(
    trx,
  );
  // Whoever agreed first comes first, where somebody may have only a few deals.
  const { rows: wantRows } = await sql<Offered['wants'][number]>`
    select id, user_id, times, min_value, gives from ${wants(given)} as each order by created_at, id`.execute(
    trx,
  );
  const couponIds = couponRows.map(({ id }) => id);
  const { rows: gifts } = await sql<Offered['gifts'][number]>`
    select want_id, coupon_id from want_gifts
    where want_id = any(${wantRows.map(({ id }) => id)}::integer[]) and coupon_id = any(${couponIds}::integer[])`.execute(
    trx,
  );
  const { rows: takes } = await sql<Offered['takes'][number]>`
    select want.want_id, coupons.id as coupon_id, coupons.health,
      coalesce(coupons.is_verified and coupons.checked_at >= ${confirmedSince}, false) as is_confirmed,
      floor(extract(epoch from coupons.expires_at - ${now}::timestamptz) / 86400)::integer as days_left
    from ${wants(given)} as agreed
    join (select ${WANT_COLUMNS} from wants) as want on want.want_id = agreed.id
    cross join lateral (
      select coupon_id from (
        select coupon_id from want_finds where want_finds.want_id = agreed.id
        union select coupon_id from match_fits where match_fits.want_id = agreed.id) as fits
      where coupon_id = any(${couponIds}::integer[]) order by coupon_id desc limit ${sql.lit(TAKES_MAX)}) as fit
    join coupons on coupons.id = fit.coupon_id
    where coupons.owner_id <> want.user_id and ${isWanted(now)}
      and (agreed.min_value is null or coupons.discount_type = 'fixed' and coupons.value >= agreed.min_value)
      and case when coupons.merchant_text = any(array(select fold_text(name) from unnest(${connected}::text[]) as name))
        then coupons.is_verified and coupons.checked_at >= ${confirmedSince}
        else coalesce(coupons.health, 0) >= agreed.min_health end
      and not exists (select from user_blocks where blocker_id = want.user_id and blocked_id = coupons.owner_id
        or blocker_id = coupons.owner_id and blocked_id = want.user_id)
      and not exists (select from match_dismissals as dismissal where dismissal.user_id = want.user_id
        and (dismissal.reason = 'not_interested' and dismissal.coupon_id = coupons.id
          or dismissal.reason = 'person' and dismissal.person_id = coupons.owner_id))
    order by want.want_id, coupons.id`.execute(trx);
  return { coupons: couponRows, wants: wantRows, gifts, takes };
}

/** The coupons that their owners agreed to give and whose codes their merchants' programmes can be asked about. */
export async function listCodesToCheck(
  db: Database,
  given: Now & { merchants: readonly string[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select coupons.id from ${coupons(given)} as agreed join coupons on coupons.id = agreed.id
    where coupons.merchant_text = any(array(select fold_text(name) from unnest(${given.merchants}::text[]) as name))
    order by coupons.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** A leg that cannot be traded as it was agreed on. */
interface Spoilt {
  readonly couponId: number;
  /** Whether the wish is the reason, and not the coupon: its consent is gone, or its person takes no part any more. */
  readonly isWish: boolean;
}

/**
 * Of the legs of a ring, those that cannot be traded as they were agreed on: the coupon has changed, cannot move or is not to be given any
 * more, the wish is gone, one of the two takes no part, or they have blocked each other. Lock the coupons first.
 */
export async function listSpoilt(
  trx: Trx,
  given: Now & { readonly legs: readonly Frozen[] },
): Promise<Spoilt[]> {
  const { legs } = given;
  const { rows } = await sql<Spoilt>`
    select * from (select leg.coupon_id,
      not exists (select from ${wants(given)} as want where want.id = leg.want_id and want.user_id = leg.receiver_id) as is_wish,
      not exists (select from ${coupons(given)} as coupon where coupon.id = leg.coupon_id and coupon.owner_id = leg.giver_id
          and date_trunc('milliseconds', coupon.updated_at) = leg.updated_at)
        or exists (select from user_blocks where blocker_id = leg.giver_id and blocked_id = leg.receiver_id
          or blocker_id = leg.receiver_id and blocked_id = leg.giver_id) as is_coupon
    from unnest(${legs.map(({ couponId }) => couponId)}::integer[], ${legs.map(({ wantId }) => wantId)}::integer[],
      ${legs.map(({ giverId }) => giverId)}::integer[], ${legs.map(({ receiverId }) => receiverId)}::integer[],
      ${legs.map(({ updatedAt }) => updatedAt.toISOString())}::timestamptz[])
      as leg (coupon_id, want_id, giver_id, receiver_id, updated_at)) as judged
    where is_wish or is_coupon`.execute(trx);
  return rows;
}
