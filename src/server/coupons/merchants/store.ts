import { sql } from 'kysely';
import type { Database } from '#server/database/client.ts';

interface MerchantRow {
  readonly name: string;
  readonly key: string;
  readonly publicCodes: number;
}

/**
 * A merchant in the spelling of its newest listed coupon, or else of its feed.
 * @param feedKey its key in the feeds
 */
export async function findMerchant(
  db: Database,
  name: string,
  feedKey: string,
): Promise<MerchantRow | undefined> {
  const { rows } = await sql<MerchantRow>`
    select coalesce(
        (select merchant from coupons where is_active and merchant_text = fold_text(${name})
          order by created_at desc, id desc limit 1),
        feed.name, ${name}) as name,
      fold_text(${name}) as key, coalesce(feed.offers, 0) as public_codes
    from (select) as one left join feed_merchants as feed on feed.key = ${feedKey}
    where feed.key is not null or exists (select from merchants where merchants.name = fold_text(${name}))`.execute(
    db,
  );
  return rows[0];
}

/** How many people look for coupons of exactly this merchant, up to `most`. */
export async function countWishes(db: Database, name: string, most: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::integer as found from (
      select distinct user_id from wants
      where merchant_patterns = word_patterns(typed_words(${name})) and not is_paused
      limit ${most}) as people`.execute(db);
  return rows[0]?.found ?? 0;
}

/** What was said of all public codes of a merchant. */
export async function sumFeedback(db: Database, feedKey: string) {
  return db
    .selectFrom('feedOffers')
    .innerJoin('offerScores', 'offerScores.codeHash', 'feedOffers.identity')
    .where('feedOffers.merchantKey', '=', feedKey)
    .select(({ fn }) => [
      sql<number>`coalesce(sum(worked), 0)::integer`.as('worked'),
      sql<number>`coalesce(sum(failed), 0)::integer`.as('failed'),
      fn.max('offerScores.lastWorkedAt').as('lastWorkedAt'),
    ])
    .executeTakeFirstOrThrow();
}

/** Which of these texts are the whole name of a merchant that the market knows, and the newest coupon with the name. */
export async function findKnown(
  db: Database,
  texts: readonly { readonly text: string; readonly feedKey: string }[],
) {
  const { rows } = await sql<{ text: string; name: string; category: string | null }>`
    select given.text, coalesce(newest.merchant, feed.name, given.text) as name, newest.category
    from unnest(${texts.map(({ text }) => text)}::text[], ${texts.map(({ feedKey }) => feedKey)}::text[])
        as given(text, feed_key)
      left join feed_merchants as feed on feed.key = given.feed_key
      left join lateral (
        select merchant, category from coupons where is_active and merchant_text = fold_text(given.text)
        order by created_at desc, id desc limit 1) as newest on true
    where feed.key is not null or exists (select from merchants where merchants.name = fold_text(given.text))`.execute(
    db,
  );
  return rows;
}

/** The merchant whose folded name is most like a text, and how much, from `least` to 1; for each text that has one. */
export async function findAlike(db: Database, texts: readonly string[], least: number) {
  const { rows } = await sql<{ text: string; name: string; likeness: number }>`
    select given.text, alike.name, alike.likeness from unnest(${texts}::text[]) as given(text)
      cross join lateral (
        select name, similarity(name, fold_text(given.text)) as likeness from merchants
        where name % fold_text(given.text) order by likeness desc, name limit 1) as alike
    where alike.likeness >= ${least} order by alike.likeness desc`.execute(db);
  return rows;
}
