import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { DealStatus } from '#contract/deals.ts';
import { formatDate } from '#web/lib/format.ts';
import classes from './deal-timeline.module.css';

interface DealTimelineProps {
  readonly status: DealStatus;
  readonly createdAt: string;
  readonly acceptedAt: string | null;
  readonly completedAt: string | null;
  /** When it ended without completing: the last change. */
  readonly updatedAt: string;
}

interface Step {
  readonly name: string;
  readonly at: string | null;
  readonly isEnd?: boolean;
}

function stepsOf(deal: DealTimelineProps): Step[] {
  const proposed = { name: 'Proposed', at: deal.createdAt };
  const accepted = { name: 'Accepted', at: deal.acceptedAt };
  if (deal.status === 'rejected' || deal.status === 'cancelled') {
    const end = {
      name: deal.status === 'rejected' ? 'Rejected' : 'Cancelled',
      at: deal.updatedAt,
      isEnd: true,
    };
    return deal.acceptedAt ? [proposed, accepted, end] : [proposed, end];
  }
  return [proposed, accepted, { name: 'Completed', at: deal.completedAt }];
}

/** How far a deal has come: proposed, accepted, completed, or where it ended. */
export function DealTimeline(deal: DealTimelineProps) {
  return (
    <ol className={classes.line} aria-label="Progress of this deal">
      {stepsOf(deal).map(({ name, at, isEnd }) => (
        <li
          key={name}
          className={classes.step}
          data-reached={(at !== null && !isEnd) || undefined}
          data-ended={isEnd || undefined}
        >
          <span className={classes.dot} aria-hidden="true">
            {at !== null && (isEnd ? <IconX size={12} stroke={3} /> : <IconCheck size={12} stroke={3} />)}
          </span>
          <span>
            {name}
            {at === null && <VisuallyHidden> (not yet)</VisuallyHidden>}
          </span>
          <span className={classes.when}>{at === null ? '–' : formatDate(at)}</span>
        </li>
      ))}
    </ol>
  );
}
