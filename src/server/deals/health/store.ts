import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { Evidence, Report } from './figure.ts';

/** What a merchant's own programme has said of codes; other verdicts are none. */
const IS_FROM_PROGRAMME = sql<boolean>`(validations.is_confirmed or validations.verdict ->> 'confirmed' = 'true')`;

/** Whole and parts of days from an instant of a row until `now`. */
const daysSince = (column: string, now: Date) =>
  sql<number>`(extract(epoch from ${now}::timestamptz - ${sql.ref(column)}) / 86400)::float8`;

interface CodeRow extends Pick<Evidence, 'reissuedDays' | 'listedDays'> {
  readonly id: number;
  readonly checkedAt: Date | null;
  readonly storedHealth: number | null;
  readonly storedCheckedAt: Date | null;
  readonly isValid: boolean | null;
  readonly verdictDays: number | null;
  readonly partners: number;
  readonly claimsLost: number;
  readonly claimsWon: number;
  readonly reports: Report[];
}

/** All that is known of a code, when its programme last answered, and what is stored of both for lists. */
export interface KnownCode extends Pick<CodeRow, 'id' | 'checkedAt' | 'storedHealth' | 'storedCheckedAt'> {
  readonly evidence: Evidence;
}

/** What is known of the codes of these coupons, in id order. Coupons without a code have none. */
export async function listKnown(db: Database | Trx, ids: readonly number[], now: Date): Promise<KnownCode[]> {
  const { rows: codes } = await sql<CodeRow>`
    select coupons.id, coupons.health as stored_health, coupons.checked_at as stored_checked_at,
      verdict.created_at as checked_at, verdict.is_valid,
      ${daysSince('verdict.created_at', now)} as verdict_days, ${daysSince('coupons.created_at', now)} as listed_days,
      ${daysSince('coupons.reissued_at', now)} as reissued_days, users.deal_partners as partners, claimed.lost as claims_lost, claimed.won as claims_won,
      coalesce(told.reports, '[]') as reports
    from coupons join users on users.id = coupons.owner_id
    left join lateral (
      select is_valid, created_at from validations where validations.code_hash = coupons.code_hash and ${IS_FROM_PROGRAMME}
      order by validations.id desc limit 1) as verdict on true
    cross join lateral (
      select (count(*) filter (where status in ('upheld', 'refunded')))::integer as lost,
        (count(*) filter (where status in ('refused', 'released')))::integer as won
      from counted_claims where giver_id = coupons.owner_id) as claimed
    left join (
      select coupon_id, json_agg(json_build_object('worked', worked, 'ageDays', age_days, 'isByOwner', is_by_owner,
        'agreed', agreed, 'disagreed', disagreed, 'dealsWithOwner', deals_with_owner, 'otherDeals', other_deals,
        'outsideDeals', outside_deals)) as reports
      from (${reportsOn(ids, now)}) as report group by coupon_id) as told on told.coupon_id = coupons.id
    where coupons.id = any(${ids}::integer[]) and coupons.code_hash is not null order by coupons.id`.execute(
    db,
  );
  return codes.map(
    ({
      isValid,
      verdictDays,
      partners,
      claimsLost,
      claimsWon,
      reissuedDays,
      listedDays,
      reports,
      ...code
    }) => ({
      ...code,
      evidence: {
        ...{ reissuedDays, listedDays, reports },
        verdict: isValid === null || verdictDays === null ? null : { isValid, ageDays: verdictDays },
        seller: { partners, claimsLost, claimsWon },
      },
    }),
  );
}

/**
 * The reports on the present codes of coupons. The regulars of an owner are those who have met them in two deals or more.
 */
function reportsOn(ids: readonly number[], now: Date) {
  return sql`
    with said as materialized (
      select coupons.id as coupon_id, coupons.owner_id, report.user_id, worked, given_at
      from counted_reports as report join coupons on coupons.id = report.coupon_id and coupons.code_hash = report.code_hash
      where coupons.id = any(${ids}::integer[])
    ), met as materialized (
      select person.id as user_id, coalesce(exchange_id, -bid_id) as deal, other_id
      from (select owner_id as id from said union select user_id from said) as person
      cross join lateral (
        select receiver_id as other_id, exchange_id, bid_id from counted_deals where giver_id = person.id
        union all
        select giver_id, exchange_id, bid_id from counted_deals where receiver_id = person.id) as deals
    ), regulars as materialized (
      select user_id as owner_id, other_id from met group by user_id, other_id having count(distinct deal) > 1
    )
    select coupon_id, worked, ${daysSince('given_at', now)} as age_days, said.user_id = said.owner_id as is_by_owner,
      coalesce(agreed, 0) as agreed, coalesce(disagreed, 0) as disagreed,
      deals.with_owner as deals_with_owner, deals.others as other_deals, deals.outside as outside_deals
    from said left join reporter_records on reporter_records.user_id = said.user_id
    cross join lateral (
      select (count(distinct deal) filter (where other_id = said.owner_id))::integer as with_owner,
        (count(distinct deal) filter (where other_id <> said.owner_id))::integer as others,
        (count(distinct deal) filter (where other_id <> said.owner_id and not exists (
          select from regulars where regulars.owner_id = said.owner_id and regulars.other_id = met.other_id)))::integer as outside
      from met where met.user_id = said.user_id) as deals`;
}

/** Takes up to `limit` rows off the queue, the oldest first. @returns the coupons, each once */
export async function takeQueued(trx: Trx, limit: number): Promise<{ taken: number; couponIds: number[] }> {
  const { rows } = await sql<{ couponId: number }>`
    delete from health_queue where id in (
      select id from health_queue order by id limit ${limit} for update skip locked)
    returning coupon_id`.execute(trx);
  return { taken: rows.length, couponIds: [...new Set(rows.map(({ couponId }) => couponId))] };
}

/** Stores figures. Lock the coupons first. */
export async function putHealth(
  trx: Trx,
  figures: readonly { id: number; health: number | null; checkedAt: Date | null }[],
): Promise<void> {
  if (figures.length === 0) return;
  await sql`
    update coupons set health = given.health, checked_at = given.checked_at
    from unnest(${figures.map(({ id }) => id)}::integer[], ${figures.map(({ health }) => health)}::integer[],
      ${figures.map(({ checkedAt }) => checkedAt)}::timestamptz[]) as given (id, health, checked_at)
    where coupons.id = given.id and deleted_at is null`.execute(trx);
}

/** Coupons on offer that have a figure, with ids above `after`, in id order. */
export async function listWithFigure(db: Database, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from coupons where is_active and health is not null and id > ${after} order by id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Queues coupons, to have their figures computed again. */
export async function queue(db: Database, couponIds: readonly number[]): Promise<void> {
  if (couponIds.length === 0) return;
  await sql`insert into health_queue (coupon_id) select unnest(${couponIds}::integer[])`.execute(db);
}

/**
 * Counts for each person who has said something of a code how often they were right since `since`. A programme is right,
 * and a moderator. That a code is refused later says nothing of whoever called it working: it may have been used then.
 */
export async function countRecords(db: Trx, since: Date): Promise<void> {
  // Another program may count at the same time.
  await sql`lock table reporter_records in share row exclusive mode`.execute(db);
  await sql`delete from reporter_records`.execute(db);
  await sql`
    insert into reporter_records (user_id, agreed, disagreed)
    select user_id, count(*) filter (where is_right), count(*) filter (where not is_right)
    from (
      select report.user_id,
        coalesce(
          case when worked then
            case when later.any_valid then true when earlier.is_valid = false then false end
          else
            case when later.first is not null then not later.first when earlier.is_valid = false then true end
          end,
          decided.is_upheld <> worked) as is_right
      from counted_reports as report
      cross join lateral (
        select bool_or(is_valid) as any_valid, (array_agg(is_valid order by validations.id))[1] as first
        from validations where validations.code_hash = report.code_hash and ${IS_FROM_PROGRAMME}
          and validations.created_at > given_at) as later
      left join lateral (
        select is_valid from validations where validations.code_hash = report.code_hash and ${IS_FROM_PROGRAMME}
          and validations.created_at <= given_at
        order by validations.id desc limit 1) as earlier on true
      left join lateral (
        select claim.status in ('upheld', 'refunded') as is_upheld from counted_claims as claim
        where claim.claimant_id = report.user_id and claim.coupon_id = report.coupon_id
          and claim.status in ('upheld', 'refunded', 'refused', 'released')
        order by claim.id desc limit 1) as decided on true
      where given_at > ${since}) as judged
    where is_right is not null group by user_id`.execute(db);
}

/** What was said of the codes of one merchant. */
export interface MerchantRow {
  readonly merchant: string;
  readonly checked: number;
  readonly valid: number;
  /** A person with an answer about codes of this merchant, the more `worked` of 1 the more often it worked. */
  readonly people: readonly {
    readonly worked: number;
    readonly agreed: number;
    readonly disagreed: number;
  }[];
}

/** What is known of each merchant since `since`. All at once: a part of them would read as many coupons and reports. */
export async function listMerchants(trx: Trx, since: Date): Promise<MerchantRow[]> {
  const { rows } = await sql<MerchantRow>`
    with checks as (
      select merchant_text, count(*)::integer as checked, (count(*) filter (where is_verified))::integer as valid
      from coupons where checked_at > ${since} and deleted_at is null group by merchant_text
    ), said as (
      select merchant_text, report.user_id, avg(worked::integer)::float8 as worked
      from counted_reports as report join coupons on coupons.id = report.coupon_id
      where given_at > ${since} group by merchant_text, report.user_id
    ), people as (
      select merchant_text, json_agg(json_build_object('worked', worked, 'agreed', coalesce(agreed, 0),
        'disagreed', coalesce(disagreed, 0))) as people
      from said left join reporter_records using (user_id) group by merchant_text
    )
    select merchant_text as merchant, coalesce(checked, 0) as checked, coalesce(valid, 0) as valid, coalesce(people, '[]') as people
    from checks full join people using (merchant_text) order by merchant_text`.execute(trx);
  return rows;
}

export interface MerchantFigure {
  readonly merchant: string;
  readonly health: number;
  readonly checked: number;
  readonly valid: number;
  readonly worked: number;
  readonly failed: number;
}

/** Stores the figures of merchants. */
export async function putMerchants(
  db: Database,
  figures: readonly MerchantFigure[],
  at: Date,
): Promise<void> {
  if (figures.length === 0) return;
  await db
    .insertInto('merchantHealth')
    .values(figures.map((figure) => ({ ...figure, computedAt: at })))
    .onConflict((conflict) =>
      conflict.column('merchant').doUpdateSet(({ ref }) => ({
        health: ref('excluded.health'),
        checked: ref('excluded.checked'),
        valid: ref('excluded.valid'),
        worked: ref('excluded.worked'),
        failed: ref('excluded.failed'),
        computedAt: ref('excluded.computedAt'),
      })),
    )
    .execute();
}

/** Removes the figures of merchants of which nothing has been heard: those computed before `at`. */
export async function removeMerchants(db: Database, at: Date): Promise<void> {
  await db.deleteFrom('merchantHealth').where('computedAt', '<', at).execute();
}

/** The figure of a merchant, in any spelling of its name. */
export async function findMerchant(db: Database, name: string) {
  return db
    .selectFrom('merchantHealth')
    .select(['health', 'checked', 'valid', 'worked', 'failed'])
    .where('merchant', '=', sql<string>`fold_text(${name})`)
    .executeTakeFirst();
}
