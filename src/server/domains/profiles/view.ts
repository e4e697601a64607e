import { decimalToCents } from '#contract/money.ts';
import type { PublicProfile, UserStats } from '#contract/profiles.ts';
import type { Standing } from '../leaderboard/service.ts';
import type { PersonRow, SavingsRow } from './store.ts';

/** A person as anybody may see them. */
export function toPublicProfile(person: PersonRow, standing: Standing): PublicProfile {
  return { ...person, ...standing, createdAt: person.createdAt.toISOString() };
}

/** What the profile page counts, for the person themself. */
export function toUserStats(totalCoupons: number, savings: SavingsRow, standing: Standing): UserStats {
  const saved = savings.swapped + savings.bought - decimalToCents(savings.paid);
  return {
    totalCoupons,
    totalExchanges: standing.successfulExchanges,
    totalBids: standing.acceptedBids,
    reputation: standing.scores.overall,
    savingsGenerated: Math.max(0, saved),
    scores: standing.scores,
  };
}
