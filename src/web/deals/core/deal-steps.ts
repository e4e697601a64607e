import { t } from '@lingui/core/macro';
import type { DealStatus } from '#contract/deals/deals.ts';
import { formatDate } from '#web/lib/format.ts';

export interface TimelineStep {
  readonly name: string;
  readonly state: 'done' | 'ended' | 'ahead';
  /** The date, or another text below the name. */
  readonly when?: string;
}

interface DealProgress {
  readonly status: DealStatus;
  readonly createdAt: string;
  readonly acceptedAt: string | null;
  readonly completedAt: string | null;
  /** The last change: the end of a deal that was not completed. */
  readonly updatedAt: string;
}

/** A step that was done at an instant, or is still ahead where it is null. */
export function stepAt(name: string, at: string | null): TimelineStep {
  return at === null ? { name, state: 'ahead' } : { name, state: 'done', when: formatDate(at) };
}

/** The steps of a deal: proposed, accepted, completed; or rejected or cancelled as the last one. */
export function dealSteps(deal: DealProgress): TimelineStep[] {
  const proposed = stepAt(t`Proposed`, deal.createdAt);
  const accepted = stepAt(t`Accepted`, deal.acceptedAt);
  if (deal.status === 'rejected' || deal.status === 'cancelled') {
    const name = deal.status === 'rejected' ? t`Rejected` : t`Cancelled`;
    const end: TimelineStep = { name, state: 'ended', when: formatDate(deal.updatedAt) };
    return deal.acceptedAt ? [proposed, accepted, end] : [proposed, end];
  }
  return [proposed, accepted, stepAt(t`Completed`, deal.completedAt)];
}
