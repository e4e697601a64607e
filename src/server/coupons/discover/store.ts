import { type RawBuilder, sql } from 'kysely';
import { type DiscountType, PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import { OFFERS_PER_MERCHANT, type PublicOffer } from '#contract/coupons/discover.ts';
import { utcDay } from '#server/core/clock.ts';
import type { Database } from '#server/database/client.ts';
import {
  cappedTotal,
  type ListOrder,
  type ListPage,
  openPage,
  type Paging,
} from '#server/database/paging.ts';
import { hasWords } from '#server/database/search-words.ts';
import { dayWhereItEnds } from './feeds-store.ts';

/** How many merchants, or offers of one merchant, can be reached by page number. */
const PAGING_CAP = 10_000;

export interface OfferRow extends PublicOffer {
  readonly id: number;
  readonly lastDayOffset: number;
  readonly isImported: boolean;
  readonly worked: number;
  readonly failed: number;
  readonly lastWorkedAt: Date | null;
  /** What the viewer said of it. */
  readonly own: boolean | null;
}

export interface GroupedOfferRow extends OfferRow {
  readonly merchantKey: string;
  readonly merchantName: string;
  /** The merchant's number of offers, as last counted. */
  readonly offers: number;
}

/** The viewer, and the time at which offers must be valid. */
export interface Viewer {
  readonly userId: number;
  readonly at: Date;
}

/** A viewer of lists. */
export interface Reader extends Viewer {
  /** ISO 3166-1 alpha-2: offers that count there come first; null if it is not known. */
  readonly country: string | null;
}

/**
 * Whether an offer is valid; needs a table or join named feed_offers. On its last day it ends at the time that its feed
 * names with a zone; without a zone the time differs from place to place, and the day counts.
 */
function isLive(at: Date) {
  const [today, lastDay] = [utcDay(at), dayWhereItEnds(at)];
  return sql<boolean>`
    (feed_offers.start_date is null or feed_offers.start_date <= ${today})
    and (feed_offers.expiry_date is null or feed_offers.expiry_date > ${lastDay} or (
      feed_offers.expiry_date = ${lastDay} and case
        when feed_offers.end_time ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then feed_offers.end_time::timestamptz > ${at}
        else true
      end))`;
}

/** Written as literals, as in the index: PostgreSQL could not match a parameter to the index's condition. */
const PERSONAL = sql.join(PERSONAL_CATEGORIES.map((category) => sql.lit(category)));

/** Whether the viewer has imported an offer. */
const importedCopy = (userId: number) => sql<boolean>`
  exists (select from coupons where coupons.owner_id = ${userId} and coupons.code_hash = feed_offers.identity
    and coupons.deleted_at is null and coupons.category in (${PERSONAL}))`;

function liveOffers(db: Database, at: Date) {
  return db.selectFrom('feedOffers').where(isLive(at));
}

function selectOffers(db: Database, { userId, at }: Viewer) {
  return liveOffers(db, at)
    .leftJoin('offerScores', 'offerScores.codeHash', 'feedOffers.identity')
    .leftJoin('codeFeedback', (join) =>
      join
        .onRef('codeFeedback.codeHash', '=', 'feedOffers.identity')
        .on('codeFeedback.userId', '=', userId)
        .on(sql<boolean>`coalesce(code_feedback.coupon_id, 0) = 0`),
    )
    .select([
      sql<number>`coalesce(offer_scores.worked, 0)`.as('worked'),
      sql<number>`coalesce(offer_scores.failed, 0)`.as('failed'),
      'offerScores.lastWorkedAt',
      'codeFeedback.worked as own',
      'feedOffers.id',
      'feedOffers.merchant',
      'feedOffers.code',
      'feedOffers.title',
      'feedOffers.description',
      'feedOffers.value',
      sql<DiscountType | null>`feed_offers.discount_type`.as('discountType'),
      'feedOffers.isValueRead',
      'feedOffers.expiryDate',
      'feedOffers.lastDayOffset',
      'feedOffers.endTime',
      'feedOffers.regions',
      'feedOffers.terms',
      'feedOffers.sourceUrl',
      'feedOffers.imageUrl',
      importedCopy(userId).as('isImported'),
    ]);
}

/**
 * The sets of regions that a merchant's offers have, each found by one step in the index, and whether it leaves out the
 * viewer's country.
 */
function regionSets(key: RawBuilder<string>, country: string | null) {
  return sql<{ regions: string[]; elsewhere: number }>`(
    with recursive sets as (
      (select regions from feed_offers where merchant_key = ${key} order by regions limit 1)
      union all
      select (select next.regions from feed_offers as next
        where next.merchant_key = ${key} and next.regions > sets.regions order by next.regions limit 1)
      from sets where sets.regions is not null
    )
    select regions, case when ${country}::text is null or regions = '{}' or ${country} = any(regions) then 0 else 1 end
      as elsewhere
    from sets where regions is not null)`;
}

/** Which part of a list of offers is read. */
type Part = Pick<ListPage, 'direction' | 'beyond' | 'values' | 'reach'>;

/**
 * One merchant's live offers in their order: those that count in the viewer's country first, then those that work
 * most surely, then oldest first. Reads as many of each set of regions as the page reaches, so that it costs the same
 * with a million.
 */
function placesOf(db: Database, { at, country }: Reader, key: RawBuilder<string>, part: Part) {
  const { direction, beyond, values, reach } = part;
  const [elsewhere, doubt, id] = values ?? [];
  const first = sql.raw(direction === 'asc' ? '-1' : '2147483647');
  /** Where a set of regions begins: behind the row of the cursor, or with all of its offers. */
  const from = (value: unknown) =>
    sql`case when part.elsewhere = ${elsewhere} then ${value} else ${first} end`;
  return db
    .selectFrom(regionSets(key, country).as('part'))
    .innerJoinLateral(
      liveOffers(db, at)
        .where('feedOffers.merchantKey', '=', key)
        .where('feedOffers.regions', '=', sql<string[]>`part.regions`)
        .$if(elsewhere !== undefined, (query) =>
          query
            .where(sql<boolean>`part.elsewhere ${beyond}= ${elsewhere}`)
            .where(sql<boolean>`(feed_offers.doubt, feed_offers.id) ${beyond} (${from(doubt)}, ${from(id)})`),
        )
        .select(['feedOffers.id', 'feedOffers.doubt'])
        .orderBy('feedOffers.doubt', direction)
        .orderBy('feedOffers.id', direction)
        .limit(reach)
        .as('place'),
      (join) => join.onTrue(),
    )
    .select(['part.elsewhere', 'place.doubt', 'place.id']);
}

const BY_NAME: ListOrder = { name: 'merchants', direction: 'asc', by: [['key', 'text']] };

/** A page of merchants by name, each with its first offers. `search` are folded words of the name; none match all. */
export async function listGroups(
  db: Database,
  { search, ...viewer }: Reader & { readonly search: readonly string[] },
  paging: Paging,
) {
  const page = openPage(paging, BY_NAME, PAGING_CAP);
  const merchants = db
    .selectFrom('feedMerchants')
    .select(['key', 'name', 'offers'])
    .$if(search.length > 0, (query) => query.where(hasWords(sql`search_text`, search)));
  const [shops, counts] = await Promise.all([
    page.select(merchants).execute(),
    cappedTotal(db, merchants, PAGING_CAP),
  ]);
  const { rows: shown, ...cursors } = page.finish(shops);
  const first = {
    direction: 'asc',
    beyond: page.beyond,
    values: undefined,
    reach: OFFERS_PER_MERCHANT,
  } as const;
  const rows = await selectOffers(db, viewer)
    .innerJoin(
      db
        .selectFrom(merchants.where('key', '=', sql<string>`any(${shown.map(({ key }) => key)})`).as('shop'))
        .innerJoinLateral(
          placesOf(db, viewer, sql.ref('shop.key'), first)
            .orderBy('part.elsewhere')
            .orderBy('place.doubt')
            .orderBy('place.id')
            .limit(OFFERS_PER_MERCHANT)
            .as('offer'),
          (join) => join.onTrue(),
        )
        .selectAll()
        .as('chosen'),
      'chosen.id',
      'feedOffers.id',
    )
    .select(['chosen.key as merchantKey', 'chosen.name as merchantName', 'chosen.offers'])
    .orderBy('chosen.key')
    .orderBy('chosen.elsewhere')
    .orderBy('chosen.doubt')
    .orderBy('feedOffers.id')
    .execute();
  return { rows, ...cursors, ...counts };
}

const USABLE_FIRST: ListOrder = {
  name: 'offers',
  direction: 'asc',
  by: [
    ['elsewhere', 'integer'],
    ['doubt', 'integer'],
    ['id', 'integer'],
  ],
};

/** A page of one merchant's offers, and their number as last counted. */
export async function listOffers(
  db: Database,
  { key, ...viewer }: Reader & { readonly key: string },
  paging: Paging,
) {
  const page = openPage(paging, USABLE_FIRST, PAGING_CAP);
  const chosen = page
    .sort(db.selectFrom(placesOf(db, viewer, sql`${key}`, page).as('place')).selectAll(), 'place')
    .select(page.rowKeys('place').as('rowKeys'))
    .limit(page.limit + 1)
    .offset(page.offset)
    .as('chosen');
  const [rows, shop] = await Promise.all([
    page
      .sort(selectOffers(db, viewer).innerJoin(chosen, 'chosen.id', 'feedOffers.id'), 'chosen')
      .select('chosen.rowKeys')
      .execute(),
    db.selectFrom('feedMerchants').select('offers').where('key', '=', key).executeTakeFirst(),
  ]);
  const total = shop?.offers ?? 0;
  return { ...page.finish(rows), total: Math.min(total, PAGING_CAP), totalIsCapped: total > PAGING_CAP };
}

/** The offer of one code that is valid today. */
export function findOffer(db: Database, viewer: Viewer, identity: string): Promise<OfferRow | undefined> {
  return selectOffers(db, viewer).where('feedOffers.identity', '=', identity).executeTakeFirst();
}

/** An offer that is valid today, with the hash of its code. */
export function findOfferById(db: Database, viewer: Viewer, id: number) {
  return selectOffers(db, viewer)
    .select('feedOffers.identity')
    .where('feedOffers.id', '=', id)
    .executeTakeFirst();
}

/** The first offers of a merchant that the viewer has not imported. */
export function offersToImport(
  db: Database,
  viewer: Viewer,
  { key, limit }: { key: string; limit: number },
): Promise<OfferRow[]> {
  return selectOffers(db, viewer)
    .where('feedOffers.merchantKey', '=', key)
    .where(({ not }) => not(importedCopy(viewer.userId)))
    .orderBy('feedOffers.id')
    .limit(limit)
    .execute();
}
