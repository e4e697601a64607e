import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DealStatus } from '#contract/deals/deals.ts';
import { ConfirmDialog } from '#web/components/dialog.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { formatDate } from '#web/lib/format.ts';
import classes from './deal-dialogs.module.css';

interface DealDetailProps {
  readonly status: DealStatus;
  /** The other party and the deadline. */
  readonly head: ReactNode;
  /** What happens next, with its buttons; null where another part says it. */
  readonly next: ReactNode;
  /** The coupons of the deal. */
  readonly children: ReactNode;
  readonly message: { readonly text: string | null; readonly author: string; readonly isOwn: boolean };
  readonly steps: readonly TimelineStep[];
  readonly rating: ReactNode;
  readonly actions: ReactNode;
}

/** A deal's state, coupons, message, timeline and actions. */
export function DealDetail(props: DealDetailProps) {
  const { status, head, next, children, message, steps, rating, actions } = props;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge status={status} />
        {head}
      </Group>
      {next && (
        <Box px={16} py={12} bg="var(--surface-sunken)" bdrs="md">
          {next}
        </Box>
      )}
      {children}
      {message.text && (
        <div>
          <Text size="sm" c="dimmed" fw={600} mb={6}>
            {message.isOwn ? t`Your message` : t`Message from ${message.author}`}
          </Text>
          <blockquote dir="auto">{message.text}</blockquote>
        </div>
      )}
      <Timeline steps={steps} />
      {status === 'completed' && rating}
      <Group justify="flex-end" gap="sm">
        {actions}
      </Group>
    </Stack>
  );
}

/** The texts of a confirmation. */
export interface ActWords {
  readonly title: string;
  readonly confirm: string;
  readonly keep: string;
  readonly paragraphs: readonly string[];
}

interface ActDialogProps {
  readonly words: ActWords;
  readonly isDangerous: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  /** The coupons that the action is about. */
  readonly children: ReactNode;
  readonly warning?: ReactNode;
}

/** Confirms an action that moves a deal to another state. */
export function ActDialog({ words, children, warning, ...dialog }: ActDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={words.title}
      confirmLabel={words.confirm}
      pendingLabel={t`Processing...`}
      cancelLabel={words.keep}
    >
      <Stack gap="md">
        {children}
        {words.paragraphs.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
        {warning}
      </Stack>
    </ConfirmDialog>
  );
}

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

function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <PlainList component="ol" className={classes.line} aria-label={t`Progress of this deal`}>
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
            {state === 'ahead' && (
              <VisuallyHidden>
                {' '}
                <Trans>(not yet)</Trans>
              </VisuallyHidden>
            )}
          </span>
          <Text span c="dimmed" fz="caption">
            {when ?? (state === 'ahead' ? '–' : '')}
          </Text>
        </li>
      ))}
    </PlainList>
  );
}
