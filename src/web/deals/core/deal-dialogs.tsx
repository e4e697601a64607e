import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import { ConfirmDialog } from '#web/components/dialog.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import classes from './deal-dialogs.module.css';
import type { TimelineStep } from './deal-steps.ts';

interface DealDetailProps {
  readonly dealType: DealType;
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
  const { dealType, status, head, next, children, message, steps, rating, actions } = props;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge dealType={dealType} status={status} />
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
