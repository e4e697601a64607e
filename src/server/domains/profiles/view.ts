import { decimalToCents } from '#contract/money.ts';
import type { PublicProfile, UserStats } from '#contract/profiles.ts';
import type { Reputation } from '../leaderboard/service.ts';
import type { PersonRow, SavingsRow } from './store.ts';

/** A person as anybody may see them. */
export function toPublicProfile(person: PersonRow, reputation: Reputation): PublicProfile {
  return { ...person, ...reputation, createdAt: person.createdAt.toISOString() };
}

/** What the profile page counts, for the person themself. */
export function toUserStats(totalCoupons: number, savings: SavingsRow, reputation: Reputation): UserStats {
  const saved = savings.swapped + savings.bought - decimalToCents(savings.paid);
  return {
    totalCoupons,
    totalExchanges: reputation.successfulExchanges,
    totalBids: reputation.acceptedBids,
    reputation: reputation.scores.overall,
    savingsGenerated: Math.max(0, saved),
    scores: reputation.scores,
  };
}
