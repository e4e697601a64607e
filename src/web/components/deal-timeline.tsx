import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { DealStatus } from '#contract/deals.ts';
import { formatDate } from '#web/lib/format.ts';
import classes from './deal-timeline.module.css';

/** A step on a deal's way. */
export interface TimelineStep {
  readonly name: string;
  readonly state: 'done' | 'ended' | 'ahead';
  /** When, or what else there is to say below the name. */
  readonly when?: string;
}

interface DealProgress {
  readonly status: DealStatus;
  readonly createdAt: string;
  readonly acceptedAt: string | null;
  readonly completedAt: string | null;
  /** When it ended without completing: the last change. */
  readonly updatedAt: string;
}

/** A step that is done at an instant, or still ahead. */
export function stepAt(name: string, at: string | null): TimelineStep {
  return at === null ? { name, state: 'ahead' } : { name, state: 'done', when: formatDate(at) };
}

/** The steps of any deal: proposed, accepted, completed, or where it ended. */
export function dealSteps(deal: DealProgress): TimelineStep[] {
  const proposed = stepAt('Proposed', deal.createdAt);
  const accepted = stepAt('Accepted', deal.acceptedAt);
  if (deal.status === 'rejected' || deal.status === 'cancelled') {
    const name = deal.status === 'rejected' ? 'Rejected' : 'Cancelled';
    const end: TimelineStep = { name, state: 'ended', when: formatDate(deal.updatedAt) };
    return deal.acceptedAt ? [proposed, accepted, end] : [proposed, end];
  }
  return [proposed, accepted, stepAt('Completed', deal.completedAt)];
}

/** How far a deal has come, step by step. */
export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <ol className={classes.line} aria-label="Progress of this deal">
      {steps.map(({ name, state, when }) => (
        <li
          key={name}
          className={classes.step}
          data-reached={state === 'done' || undefined}
          data-ended={state === 'ended' || undefined}
        >
          <span className={classes.dot} aria-hidden="true">
            {state === 'done' && <IconCheck size={12} stroke={3} />}
            {state === 'ended' && <IconX size={12} stroke={3} />}
          </span>
          <span>
            {name}
            {state === 'ahead' && <VisuallyHidden> (not yet)</VisuallyHidden>}
          </span>
          <span className={classes.when}>{when ?? (state === 'ahead' ? '–' : '')}</span>
        </li>
      ))}
    </ol>
  );
}
