import { sql } from 'kysely';
import type { Trx } from '#server/database/client.ts';

/**
 * With how many people a deal of this person that counts has gone well: completed, the time to claim about it (exchanges
 * since `claimableSince`) is over, and no claim was right.
 */
export async function countGoneWell(trx: Trx, userId: number, claimableSince: Date): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct case when giver_id = ${userId} then receiver_id else giver_id end)::integer as people
    from counted_deals as deal
    where ${userId} in (giver_id, receiver_id) and case when bid_id is null
      then completed_at <= ${claimableSince}::timestamptz and not exists (
        select from counted_claims as claim where claim.exchange_id = deal.exchange_id
          and (claim.status = 'open' or claim.status = 'upheld' and claim.giver_id = ${userId}))
      else exists (select from counted_payments as payment
        where payment.bid_id = deal.bid_id and payment.status = 'completed') end`.execute(trx);
  return rows[0]?.people ?? 0;
}
