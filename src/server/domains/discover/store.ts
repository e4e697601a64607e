import { sql } from 'kysely';
import { type DiscountType, PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import { OFFERS_PER_MERCHANT, type PublicOffer } from '#contract/discover.ts';
import type { Database } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

/** How many merchants, or offers of one merchant, can be reached by page number. */
const PAGING_CAP = 10_000;

export interface OfferRow extends PublicOffer {
  readonly id: number;
  readonly isImported: boolean;
}

export interface GroupedOfferRow extends OfferRow {
  readonly merchantKey: string;
  readonly merchantName: string;
  /** The merchant's number of offers, as last counted. */
  readonly offers: number;
}

/** The viewer, and the day on which offers must be valid, `YYYY-MM-DD`. */
export interface Viewer {
  readonly userId: number;
  readonly today: string;
}

/** Whether an offer is valid today; needs a table or join named feed_offers. */
const isLive = (today: string) => sql<boolean>`
  (feed_offers.start_date is null or feed_offers.start_date <= ${today})
  and (feed_offers.expiry_date is null or feed_offers.expiry_date >= ${today})`;

/** Written as literals, as in the index: PostgreSQL could not match a parameter to the index's condition. */
const PERSONAL = sql.join(PERSONAL_CATEGORIES.map((category) => sql.lit(category)));

/** Whether the viewer has imported an offer. */
const importedCopy = (userId: number) => sql<boolean>`
  exists (select from coupons where coupons.owner_id = ${userId} and coupons.code_hash = feed_offers.identity
    and coupons.deleted_at is null and coupons.category in (${PERSONAL}))`;

/** Offers that are valid today. */
function liveOffers(db: Database, today: string) {
  return db.selectFrom('feedOffers').where(isLive(today));
}

function selectOffers(db: Database, { userId, today }: Viewer) {
  return liveOffers(db, today).select([
    'feedOffers.id',
    'feedOffers.merchant',
    'feedOffers.code',
    'feedOffers.title',
    'feedOffers.description',
    'feedOffers.value',
    sql<DiscountType | null>`feed_offers.discount_type`.as('discountType'),
    'feedOffers.expiryDate',
    'feedOffers.terms',
    'feedOffers.sourceUrl',
    'feedOffers.imageUrl',
    importedCopy(userId).as('isImported'),
  ]);
}

/** A LIKE pattern for texts that contain `part`. */
function containing(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

const BY_NAME: ListOrder = { name: 'merchants', direction: 'asc', by: [['key', 'text']] };

/** A page of merchants by name, each with its first offers. `search` is a part of the key; '' matches all. */
export async function listGroups(
  db: Database,
  { search, ...viewer }: Viewer & { readonly search: string },
  paging: Paging,
) {
  const page = openPage(paging, BY_NAME, PAGING_CAP);
  const merchants = db
    .selectFrom('feedMerchants')
    .select(['key', 'name', 'offers'])
    .$if(search !== '', (query) => query.where('key', 'like', containing(search)));
  const [shops, counts] = await Promise.all([
    page.select(merchants).execute(),
    cappedTotal(db, merchants, PAGING_CAP),
  ]);
  const { rows: shown, ...cursors } = page.finish(shops);
  const rows = await db
    .selectFrom(merchants.where('key', '=', sql<string>`any(${shown.map(({ key }) => key)})`).as('shop'))
    .innerJoinLateral(
      selectOffers(db, viewer)
        .where('feedOffers.merchantKey', '=', sql<string>`shop.key`)
        .orderBy('feedOffers.id')
        .limit(OFFERS_PER_MERCHANT)
        .as('offer'),
      (join) => join.onTrue(),
    )
    .selectAll('offer')
    .select(['shop.key as merchantKey', 'shop.name as merchantName', 'shop.offers'])
    .orderBy('shop.key')
    .orderBy('offer.id')
    .execute();
  return { rows, ...cursors, ...counts };
}

const OLDEST: ListOrder = { name: 'offers', direction: 'asc', by: [['id', 'integer']] };

/** A page of one merchant's offers, oldest first, and their number as last counted. */
export async function listOffers(
  db: Database,
  { key, ...viewer }: Viewer & { readonly key: string },
  paging: Paging,
) {
  const page = openPage(paging, OLDEST, PAGING_CAP);
  const [rows, shop] = await Promise.all([
    page.select(selectOffers(db, viewer).where('feedOffers.merchantKey', '=', key), 'feedOffers').execute(),
    db.selectFrom('feedMerchants').select('offers').where('key', '=', key).executeTakeFirst(),
  ]);
  const total = shop?.offers ?? 0;
  return { ...page.finish(rows), total: Math.min(total, PAGING_CAP), totalIsCapped: total > PAGING_CAP };
}

/** The offer of one code that is valid today. */
export function findOffer(db: Database, viewer: Viewer, identity: string): Promise<OfferRow | undefined> {
  return selectOffers(db, viewer).where('feedOffers.identity', '=', identity).executeTakeFirst();
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
