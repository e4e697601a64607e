import { sql } from 'kysely';
import type { PriceHint } from '#contract/deals/price-hint.ts';
import type { Database, Trx } from '#server/database/client.ts';

/** How many of a merchant's latest sales are looked at. */
const SALES = 200;

/** Stores what the coupon of a bid sold for, unless its value is a percentage or not stated. */
export async function insertSoldPrice(trx: Trx, bidId: number, at: Date): Promise<void> {
  await sql`
    insert into sold_prices (bid_id, merchant_text, percent, sold_at)
    select bids.id, coupons.merchant_text, greatest(1, round(100 * 100 * bids.amount / coupons.value)), ${at}
    from bids join coupons on coupons.id = bids.coupon_id
    where bids.id = ${bidId} and coupons.discount_type = 'fixed' and coupons.value > 0`.execute(trx);
}

/** Forgets the price of a sale that was undone. */
export async function deleteSoldPrice(trx: Trx, bidId: number): Promise<void> {
  await trx.deleteFrom('soldPrices').where('bidId', '=', bidId).execute();
}

/**
 * The middle half of what people have got for coupons of a merchant; each person counts once, with their average. Sales
 * between people who may be one person do not count.
 * @param given `least`: of how many people at least
 */
export async function findPriceHint(
  db: Database,
  { merchant, since, least }: { readonly merchant: string; readonly since: Date; readonly least: number },
): Promise<PriceHint | undefined> {
  const { rows } = await sql<PriceHint>`
    with latest as (
      select bid_id, percent from sold_prices where merchant_text = fold_text(${merchant}) and sold_at > ${since}
      order by sold_at desc, bid_id desc limit ${sql.lit(SALES)}),
    people as (
      select avg(percent) as percent from latest join counted_deals as deal on deal.bid_id = latest.bid_id
      group by deal.giver_id)
    select round(percentile_cont(0.25) within group (order by percent))::integer as low,
      round(percentile_cont(0.75) within group (order by percent))::integer as high,
      count(*)::integer as people
    from people having count(*) >= ${least}`.execute(db);
  return rows[0];
}
