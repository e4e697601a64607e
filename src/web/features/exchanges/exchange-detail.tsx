import { Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { DealDetail, DealDialog, dealSteps } from '#web/components/deal-dialogs.tsx';
import { DIALOG_FADE_MS } from '#web/components/dialog.tsx';
import { Standing } from '#web/components/standing.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { ExchangeActions, MessagesButton, NewCouponLink, SuccessorLink } from './exchange-actions.tsx';
import { ExchangePair } from './exchange-pair.tsx';
import { ExchangeRing } from './exchange-ring.tsx';
import { ExchangeRounds } from './exchange-rounds.tsx';
import { useExchange } from './queries.ts';
import { type ExchangeAct, otherParties } from './sides.ts';
import { endedBecause, nextStep } from './wording.ts';

interface ExchangeDetailDialogProps {
  /** Null while nothing is open; 'unknown' if the address holds no valid id. */
  readonly id: number | 'unknown' | null;
  /** The exchange as the list already has it. */
  readonly known?: Exchange;
  readonly hasJustSwapped: boolean;
  /** Renders what follows a completed exchange: claims and ratings. */
  readonly renderAftermath: (exchange: Exchange) => ReactNode;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
  /** The ids of what may take the focus afterwards. */
  readonly focusAfter: readonly string[];
  readonly onClose: () => void;
}

/** The details of an exchange: coupons, message, progress, next step. */
export function ExchangeDetailDialog({ id, known, focusAfter, onClose, ...rest }: ExchangeDetailDialogProps) {
  const query = useExchange(typeof id === 'number' ? id : null, known);
  return (
    <DealDialog
      id={id}
      noun="exchange"
      size={720}
      query={query}
      failedTitle={TEXTS.exchanges.loadFailed}
      focusAfter={focusAfter}
      onClose={onClose}
    >
      {(exchange) => <ExchangeDetail exchange={exchange} {...rest} />}
    </DealDialog>
  );
}

/** The id of the element that takes the focus when an action has removed the pressed button. */
export const NEXT_STEP_ID = 'exchange-next-step';

interface ExchangeDetailProps
  extends Omit<ExchangeDetailDialogProps, 'id' | 'known' | 'focusAfter' | 'onClose'> {
  readonly exchange: Exchange;
}

/** Turns true once the dialog in front has faded out, because it would hide the animation. */
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
  const { exchange, hasJustSwapped, renderAftermath, onAct } = props;
  const viewerId = useMember().id;
  const ended = endedBecause(exchange, viewerId);
  const isSwapping = useAfterFade(hasJustSwapped);
  return (
    <DealDetail
      status={exchange.status}
      head={
        <>
          <Text>with {otherParties(exchange, viewerId)}</Text>
          {exchange.parties.map(
            (party) => party.id !== viewerId && <Standing key={party.id} person={party} />,
          )}
          {exchange.deadlineAt && (
            <Text c="dimmed">
              {exchange.kind === 'ring' && exchange.consentBy && exchange.status === 'pending'
                ? `Everybody has to agree by ${formatDateTime(exchange.consentBy)}`
                : `Lapses on ${(exchange.round > 1 ? formatDateTime : formatDate)(exchange.deadlineAt)}`}
            </Text>
          )}
        </>
      }
      next={
        <Group justify="space-between" gap="sm">
          <Text id={NEXT_STEP_ID} tabIndex={-1} role="status" flex="1 1 16rem">
            {ended && `${ended} `}
            {nextStep(exchange, viewerId)}
          </Text>
          <NewCouponLink exchange={exchange} hasJustSwapped={hasJustSwapped} isMain />
          <SuccessorLink exchange={exchange} isMain />
        </Group>
      }
      message={{
        text: exchange.message,
        author: exchange.requesterUsername,
        isOwn: exchange.requesterId === viewerId,
      }}
      steps={dealSteps(exchange)}
      rating={renderAftermath(exchange)}
      actions={
        <>
          <MessagesButton exchange={exchange} isMain />
          <ExchangeActions exchange={exchange} isMain onAct={(act) => onAct(exchange, act)} />
        </>
      }
    >
      {exchange.kind === 'ring' ? (
        <ExchangeRing exchange={exchange} />
      ) : (
        <ExchangePair exchange={exchange} hasJustSwapped={isSwapping} />
      )}
      <ExchangeRounds exchange={exchange} />
    </DealDetail>
  );
}
