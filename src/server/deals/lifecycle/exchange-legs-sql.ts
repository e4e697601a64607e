import { type RawBuilder, sql } from 'kysely';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { couponSummary } from '#server/coupons/core/coupon-summary-sql.ts';
import { mentionsTyped } from '#server/database/search-words.ts';
import type { Terms } from './terms.ts';

/** What the receiver of a leg pays its giver. The amounts are decimal texts in the base currency. */
interface LegPrice {
  readonly amount: string;
  /** The bid by which it is paid, once the exchange is accepted, with the fees of that time. */
  readonly bidId: number | null;
  readonly buyerFeePercent: string;
  readonly buyerFeeMinimum: string;
  readonly sellerFeePercent: string;
  readonly sellerFeeMinimum: string;
  /** An instant, as PostgreSQL writes it in JSON. */
  readonly paidAt: string | null;
  readonly isGiverReady: boolean;
}

/** A coupon that an exchange moves. */
export interface Leg {
  readonly place: number;
  readonly coupon: CouponSummary;
  readonly giverId: number;
  readonly giverUsername: string;
  readonly receiverId: number;
  readonly receiverUsername: string;
  readonly price: LegPrice | null;
}

/** The columns of `leg` and its `bid` that make a LegPrice. */
const PRICE = sql`case when leg.price is not null then json_build_object('amount', leg.price::text, 'bidId', bid.id,
  'buyerFeePercent', bid.buyer_fee_percent::text, 'buyerFeeMinimum', bid.buyer_fee_minimum::text,
  'sellerFeePercent', bid.seller_fee_percent::text, 'sellerFeeMinimum', bid.seller_fee_minimum::text,
  'paidAt', bid.price_paid_at, 'isGiverReady', exists (
    select from seller_accounts where seller_accounts.user_id = leg.giver_id and seller_accounts.is_ready)) end`;

/** Somebody who gives and gets in an exchange. */
export interface Party {
  readonly id: number;
  readonly username: string;
  /** An instant, as PostgreSQL writes it in JSON. */
  readonly memberSince: string;
  readonly dealPartners: number;
  readonly failedCodes: number;
  /** An instant, as PostgreSQL writes it in JSON. */
  readonly consentedAt: string | null;
  /** An instant, as PostgreSQL writes it in JSON. */
  readonly depositAt: string | null;
  /** What they were shown when they agreed; null: they have not. */
  readonly terms: Terms | null;
}

/** The legs of an exchange as one JSON column, in their order. They contain only public fields. */
export function legsOf(exchangeId: RawBuilder<unknown>): RawBuilder<Leg[]> {
  return sql<Leg[]>`(
    select json_agg(json_build_object('place', leg.place, 'coupon', ${couponSummary('legCoupon')},
      'giverId', leg.giver_id, 'giverUsername', giver.username,
      'receiverId', leg.receiver_id, 'receiverUsername', receiver.username, 'price', ${PRICE}) order by leg.place)
    from exchange_legs as leg left join bids as bid
      on bid.exchange_id = leg.exchange_id and bid.coupon_id = leg.coupon_id
    join coupons as leg_coupon on leg_coupon.id = leg.coupon_id
    join users as giver on giver.id = leg.giver_id join users as receiver on receiver.id = leg.receiver_id
    where leg.exchange_id = ${exchangeId})`;
}

/** The parties of an exchange as one JSON column, its author first. */
export function partiesOf(exchangeId: RawBuilder<unknown>): RawBuilder<Party[]> {
  return sql<Party[]>`(
    select json_agg(json_build_object('id', person.id, 'username', person.username,
      'memberSince', person.created_at,
      'dealPartners', person.deal_partners, 'failedCodes', person.failed_codes,
      'consentedAt', party.consented_at, 'depositAt', party.deposit_at, 'terms', party.terms) order by party.is_author desc, person.id)
    from exchange_parties as party join users as person on person.id = party.user_id
    where party.exchange_id = ${exchangeId})`;
}

/** The first coupon that the author of an exchange gets or gives, as one JSON column. */
export function firstCoupon(
  exchangeId: RawBuilder<unknown>,
  authorId: RawBuilder<unknown>,
  side: 'requested' | 'offered',
): RawBuilder<CouponSummary | null> {
  const column = sql.ref(side === 'requested' ? 'leg.receiverId' : 'leg.giverId');
  return sql<CouponSummary | null>`(
    select ${couponSummary('legCoupon')}
    from exchange_legs as leg join coupons as leg_coupon on leg_coupon.id = leg.coupon_id
    where leg.exchange_id = ${exchangeId} and ${column} = ${authorId} order by leg.place limit 1)`;
}

/** Whether what is typed into a search occurs in a title of an exchange's coupons. */
export function hasTitleLike(exchangeId: RawBuilder<unknown>, typed: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from exchange_legs as leg join coupons as leg_coupon on leg_coupon.id = leg.coupon_id
    where leg.exchange_id = ${exchangeId} and ${mentionsTyped(sql`leg_coupon.title`, typed)})`;
}
