import { t } from '@lingui/core/macro';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import { DEAL_WORDS } from '#web/components/status-badge.tsx';
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

const PROPOSED: Record<DealType, string> = {
  exchange: t({ context: 'exchange', message: 'Proposed' }),
  bid: t({ context: 'bid', message: 'Proposed' }),
};

/** The steps of a deal: proposed, accepted, completed; or rejected or cancelled as the last one. */
export function dealSteps(dealType: DealType, deal: DealProgress): TimelineStep[] {
  const words = DEAL_WORDS[dealType];
  const proposed = stepAt(PROPOSED[dealType], deal.createdAt);
  const accepted = stepAt(words.accepted, deal.acceptedAt);
  if (deal.status === 'rejected' || deal.status === 'cancelled') {
    const end: TimelineStep = {
      name: words[deal.status],
      state: 'ended',
      when: formatDate(deal.updatedAt),
    };
    return deal.acceptedAt ? [proposed, accepted, end] : [proposed, end];
  }
  return [proposed, accepted, stepAt(words.completed, deal.completedAt)];
}
