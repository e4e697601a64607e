import type { Bid } from '#contract/bids.ts';
import type { Protection } from '#contract/payments.ts';
import { dealSteps, stepAt, type TimelineStep } from '#web/components/deal-dialogs.tsx';
import { formatDate } from '#web/lib/format.ts';

/** How far a bid has come: proposed, accepted, paid, final, or where it ended. */
export function bidSteps(bid: Bid): TimelineStep[] {
  if (bid.status === 'rejected' || bid.status === 'cancelled') return dealSteps(bid);
  return [
    stepAt('Proposed', bid.createdAt),
    stepAt('Accepted', bid.acceptedAt),
    stepAt('Paid', bid.completedAt),
    lastStep(bid.protection),
  ];
}

function lastStep(protection: Protection | null): TimelineStep {
  switch (protection?.status) {
    case 'held':
      return { name: 'Final', state: 'ahead', when: heldUntil(protection) };
    case 'releasing':
    case 'completed':
      return { name: 'Final', state: 'done' };
    case 'refunding':
      return { name: 'Refunded', state: 'ahead', when: 'under way' };
    case 'refunded':
      return { name: 'Refunded', state: 'ended' };
    case 'charged_back':
      return { name: 'Charged back', state: 'ended' };
    default:
      return { name: 'Final', state: 'ahead' };
  }
}

/** The day on which the protection ends; while it is questioned nobody knows. */
function heldUntil({ holdUntil, isDisputed, claim }: Protection): string | undefined {
  if (holdUntil === null || isDisputed || claim?.status === 'open') return undefined;
  return `by ${formatDate(holdUntil)}`;
}
