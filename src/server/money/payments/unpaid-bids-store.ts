import { sql } from 'kysely';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database } from '#server/database/client.ts';
import { BID_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';

interface UnpaidBids {
  /** When the time to pay is over. */
  readonly now: Date;
  readonly limit: number;
  /** Only those with a payment under way there; null: only those without one. */
  readonly provider?: PaymentProviderName | null;
}

/** Ids of up to `limit` unpaid bids whose time to pay is over, oldest first. */
export async function listUnpaidBids(db: Database, { now, limit, provider }: UnpaidBids): Promise<number[]> {
  const live = sql<string | null>`(select provider from payment_transactions
    where bid_id = bids.id and status in ('created', 'open', 'processing'))`;
  const rows = await db
    .selectFrom('bids')
    .select('id')
    .where('status', '=', 'accepted')
    .where((where) =>
      where.or([
        where.and([
          where.or([
            where('acceptedAt', '<=', addDays(now, -DEADLINE_DAYS.bidAccepted)),
            where('beginBy', '<=', now),
          ]),
          where(BID_DEADLINE, '<=', now),
        ]),
        where.exists(
          where
            .selectFrom('exchangeLegs as leg')
            .innerJoin('coupons', 'coupons.id', 'leg.couponId')
            .select('leg.couponId')
            .whereRef('leg.exchangeId', '=', 'bids.exchangeId')
            .where('coupons.expiresAt', '<', now),
        ),
      ]),
    )
    .$if(provider !== undefined, (query) => query.where(live, 'is not distinct from', provider ?? null))
    .orderBy('acceptedAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
