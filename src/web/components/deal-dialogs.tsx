import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DealStatus } from '#contract/deals.ts';
import { hasCode } from '#web/lib/errors.ts';
import { CouponTicketSkeleton } from './coupon-ticket.tsx';
import classes from './deal-dialogs.module.css';
import { Timeline, type TimelineStep } from './deal-timeline.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';
import { SearchDrawing } from './drawings.tsx';
import { EmptyState } from './empty-state.tsx';
import { type ContentQuery, QueryContent } from './query-content.tsx';
import { StatusBadge } from './status-badge.tsx';

interface DealDialogProps<Deal> {
  /** Null while nothing is open; 'unknown' for an address that names what cannot be a deal. */
  readonly id: number | 'unknown' | null;
  readonly noun: 'bid' | 'exchange';
  readonly size: number;
  readonly query: ContentQuery<Deal>;
  readonly failedTitle: string;
  readonly children: (deal: Deal) => ReactNode;
  readonly onClose: () => void;
}

/** One deal, whole: loading, shown, not found, or failed. */
export function DealDialog<Deal>(props: DealDialogProps<Deal>) {
  const { id, noun, size, onClose } = props;
  const name = noun === 'bid' ? 'Bid' : 'Exchange';
  return (
    <Dialog
      opened={id !== null}
      onClose={onClose}
      title={typeof id === 'number' ? `${name} #${id}` : name}
      size={size}
    >
      {contentOf(props)}
    </Dialog>
  );
}

function contentOf<Deal>({ id, noun, query, failedTitle, children, onClose }: DealDialogProps<Deal>) {
  if (id === 'unknown' || hasCode(query.error, 'not_found')) {
    return (
      <EmptyState
        title={`This ${noun} was not found`}
        text={`The link may be wrong, or the ${noun} is not one of yours.`}
        drawing={<SearchDrawing />}
        titleOrder={3}
        action={<Button onClick={onClose}>See your {noun}s</Button>}
      />
    );
  }
  return (
    <QueryContent query={query} errorTitle={failedTitle} skeleton={<DealSkeleton />}>
      {children}
    </QueryContent>
  );
}

function DealSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={25} width={200} />
      <Skeleton height={76} />
      <CouponTicketSkeleton size="small" />
      <Skeleton height={122} />
      <Skeleton height={64} />
      <Skeleton height={36} width={110} radius="xl" ml="auto" />
    </Stack>
  );
}

interface DealDetailProps {
  readonly status: DealStatus;
  /** With whom, and until when. */
  readonly head: ReactNode;
  /** What happens next, and below or beside it what leads there; null where something else says it. */
  readonly next: ReactNode;
  /** What is dealt. */
  readonly children: ReactNode;
  readonly message: { readonly text: string | null; readonly author: string; readonly isOwn: boolean };
  readonly steps: readonly TimelineStep[];
  readonly rating: ReactNode;
  readonly actions: ReactNode;
}

/** How a deal stands, what is dealt, what was said, how far it has come, and what can be done. */
export function DealDetail(props: DealDetailProps) {
  const { status, head, next, children, message, steps, rating, actions } = props;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge status={status} />
        {head}
      </Group>
      {next && <div className={classes.next}>{next}</div>}
      {children}
      {message.text && (
        <div>
          <Text size="sm" c="dimmed" fw={600} mb={6}>
            {message.isOwn ? 'Your message' : `Message from ${message.author}`}
          </Text>
          <blockquote className={classes.message}>{message.text}</blockquote>
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

/** What is asked before an act. */
export interface ActWords {
  readonly title: string;
  readonly confirm: string;
  readonly keep: string;
  readonly paragraphs: readonly string[];
}

interface ActDialogProps {
  readonly opened: boolean;
  readonly words: ActWords | undefined;
  readonly isDangerous: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What the act is about. */
  readonly children: ReactNode;
  readonly warning?: ReactNode;
}

/** Confirms an act that moves a deal to another state. */
export function ActDialog({ words, children, warning, ...dialog }: ActDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={words?.title ?? ''}
      confirmLabel={words?.confirm ?? ''}
      pendingLabel="Processing..."
      cancelLabel={words?.keep}
    >
      <Stack gap="md">
        {children}
        {words?.paragraphs.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
        {warning}
      </Stack>
    </ConfirmDialog>
  );
}
