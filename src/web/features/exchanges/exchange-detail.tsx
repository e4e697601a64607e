import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { DealTimeline } from '#web/components/deal-timeline.tsx';
import { SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { StatusBadge } from '#web/components/status-badge.tsx';
import { hasCode, readErrorText } from '#web/lib/errors.ts';
import { formatDate } from '#web/lib/format.ts';
import { ExchangeActions, MessagesButton, NewCouponLink } from './exchange-actions.tsx';
import classes from './exchange-detail.module.css';
import { ExchangePair } from './exchange-pair.tsx';
import { useExchange } from './queries.ts';
import { DIALOG_FADE_MS, SMALL_SCREEN } from './screen.ts';
import { type ExchangeAct, otherParty, sideOf } from './sides.ts';
import { endedBecause, nextStep } from './wording.ts';

interface ExchangeDetailDialogProps {
  /** 'unknown' for an address that names what cannot be an exchange; null while nothing is open. */
  readonly id: number | 'unknown' | null;
  /** The exchange as the list already has it. */
  readonly known?: Exchange;
  readonly viewerId: number;
  /** Whether another dialog stands before this one and takes the Escape key. */
  readonly isCovered: boolean;
  readonly hasJustSwapped: boolean;
  /** What a party can say of the other one once it is done: another domain's to show. */
  readonly renderRating: (exchange: Exchange) => ReactNode;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
  readonly onMessages: (exchange: Exchange) => void;
  readonly onClose: () => void;
}

/** One exchange, whole: what is swapped, what was said, how far it has come, and what happens next. */
export function ExchangeDetailDialog({ id, onClose, isCovered, ...rest }: ExchangeDetailDialogProps) {
  // While the dialog fades out it still shows what it showed.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);
  const isSmall = useMediaQuery(SMALL_SCREEN, false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      title={typeof shown === 'number' ? `Exchange #${shown}` : 'Exchange'}
      size={720}
      fullScreen={isSmall}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered}
    >
      {shown === 'unknown' && <UnknownExchange onClose={onClose} />}
      {typeof shown === 'number' && <LoadedExchange id={shown} onClose={onClose} {...rest} />}
    </Modal>
  );
}

type LoadedExchangeProps = Omit<ExchangeDetailDialogProps, 'id' | 'isCovered'> & { readonly id: number };

function LoadedExchange({ id, known, onClose, ...rest }: LoadedExchangeProps) {
  const { data, error, isFetching, refetch } = useExchange(id, known);
  if (error && hasCode(error, 'not_found')) return <UnknownExchange onClose={onClose} />;
  if (data) return <ExchangeDetail exchange={data} {...rest} />;
  if (error) {
    return (
      <ErrorState
        title={TEXTS.exchanges.loadFailed}
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  return (
    <Stack aria-busy="true">
      <Skeleton height={24} width={120} />
      <Skeleton height={48} />
      <CouponTicketSkeleton size="small" />
      <CouponTicketSkeleton size="small" />
      <Skeleton height={64} />
    </Stack>
  );
}

function UnknownExchange({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      title="This exchange was not found"
      text="The link may be wrong, or the exchange is not one of yours."
      drawing={<SearchDrawing />}
      titleOrder={3}
      action={<Button onClick={onClose}>See your exchanges</Button>}
    />
  );
}

/** Where the keyboard goes when an act here has done its work and its button is gone. */
export const NEXT_STEP_ID = 'exchange-next-step';

type ExchangeDetailProps = Pick<
  ExchangeDetailDialogProps,
  'viewerId' | 'hasJustSwapped' | 'renderRating' | 'onAct' | 'onMessages'
> & { readonly exchange: Exchange };

/** Turns true once the dialog in front is gone: behind it nobody would see the tickets tear. */
function useAfterFade(isTrue: boolean): boolean {
  const [isAfter, setIsAfter] = useState(false);
  useEffect(() => {
    if (!isTrue) return setIsAfter(false);
    const timer = setTimeout(() => setIsAfter(true), DIALOG_FADE_MS);
    return () => clearTimeout(timer);
  }, [isTrue]);
  return isAfter;
}

function ExchangeDetail(props: ExchangeDetailProps) {
  const { exchange, viewerId, hasJustSwapped, renderRating, onAct, onMessages } = props;
  const side = sideOf(exchange, viewerId);
  const ended = endedBecause(exchange, side);
  const isSwapping = useAfterFade(hasJustSwapped);
  const { requesterUsername, message } = exchange;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <StatusBadge status={exchange.status} />
        <Text>with {otherParty(exchange, side)}</Text>
        {exchange.deadlineAt && <Text c="dimmed">Lapses on {formatDate(exchange.deadlineAt)}</Text>}
      </Group>
      <Group className={classes.next} justify="space-between" gap="sm">
        <Text id={NEXT_STEP_ID} tabIndex={-1} role="status" flex="1 1 16rem">
          {ended && `${ended} `}
          {nextStep(exchange, side)}
        </Text>
        <NewCouponLink exchange={exchange} viewerId={viewerId} hasJustSwapped={hasJustSwapped} isMain />
      </Group>
      <ExchangePair exchange={exchange} viewerId={viewerId} hasJustSwapped={isSwapping} />
      {message && (
        <div>
          <Text size="sm" c="dimmed" fw={600} mb={6}>
            {side === 'requester' ? 'Your message' : `Message from ${requesterUsername}`}
          </Text>
          <blockquote className={classes.message}>{message}</blockquote>
        </div>
      )}
      <DealTimeline
        status={exchange.status}
        createdAt={exchange.createdAt}
        acceptedAt={exchange.acceptedAt}
        completedAt={exchange.completedAt}
        updatedAt={exchange.updatedAt}
      />
      {exchange.status === 'completed' && renderRating(exchange)}
      <Group justify="flex-end" gap="sm">
        <MessagesButton exchange={exchange} isMain onMessages={onMessages} />
        <ExchangeActions
          exchange={exchange}
          viewerId={viewerId}
          isMain
          onAct={(act) => onAct(exchange, act)}
        />
      </Group>
    </Stack>
  );
}
