import { t } from '@lingui/core/macro';
import { enforceLimit, type RateLimit, type RateLimiter } from '#server/core/rate-limit.ts';

/** What one person may change of their own: each change costs rows, and some a new search for matches. */
const OWN_CHANGES: RateLimit = {
  name: 'own-changes',
  points: 600,
  seconds: 3_600,
  text: () => t`Too many changes.`,
};

/** Counts a change of what is the caller's own, for calls without a limit of their own. @throws AppError rate_limited */
export async function countChange({
  limiter,
  actor,
}: {
  readonly limiter: RateLimiter;
  readonly actor: { readonly id: number };
}): Promise<void> {
  await enforceLimit(limiter, OWN_CHANGES, String(actor.id));
}
