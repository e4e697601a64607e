import { sql } from 'kysely';
import type { Broken } from './checks.ts';
import type { World } from './world.ts';

/** What is found about a claim is what has happened, and where nobody asked a moderator, it ends so. */
export async function checkFindings({ direct, people, programme }: World): Promise<Broken[]> {
  const { rows } = await sql<{
    id: number;
    finding: string;
    redeemedAt: Date | null;
    claimantId: number;
    cameAt: Date;
    isGranted: boolean | null;
  }>`
    select c.id, c.finding, c.redeemed_at, c.claimant_id,
      (select max(t.created_at) from coupon_transfers t where t.to_user_id = c.claimant_id
        and t.coupon_id = coalesce(c.coupon_id, b.coupon_id) and not t.is_return and t.created_at <= c.created_at) as came_at,
      case when c.is_default and c.finding_for is not null and c.contested_at is null
        then c.default_for = 'claimant' end as is_granted
    from claims c left join bids b on b.id = c.bid_id where c.finding_for is not null`.execute(direct.db);
  const wrong = rows.filter(({ finding, redeemedAt, claimantId, cameAt, isGranted }) => {
    const by = redeemedAt && programme.usedBy(redeemedAt);
    if (isGranted !== null && isGranted !== (finding === 'redeemed_before')) return true;
    if (redeemedAt === null || by === null) return true;
    return finding === 'redeemed_before' ? people[by]?.id === claimantId : redeemedAt <= cameAt;
  });
  return wrong.length === 0 ? [] : [`a finding is wrong: ${JSON.stringify(wrong.slice(0, 3))}`];
}
