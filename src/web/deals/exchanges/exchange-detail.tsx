import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { quoted } from '#contract/base/words.ts';
import { type DealStatus, RING_PEOPLE, ROUNDS_MAX } from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { DIALOG_FADE_MS } from '#web/components/dialog.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { MessagesButton, NEXT_STEP_ID } from '#web/deals/core/deal-buttons.tsx';
import { DealDetail } from '#web/deals/core/deal-dialogs.tsx';
import { dealSteps } from '#web/deals/core/deal-steps.ts';
import { HandoverCircle, HandoverSentences, type HandoverTense } from '#web/deals/core/handovers.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { depositSentence, waitsForDeposits } from './deposit.ts';
import { ExchangeActions, NewCouponLink, SuccessorLink } from './exchange-actions.tsx';
import { ExchangeMoney } from './exchange-money.tsx';
import { ExchangePair } from './exchange-pair.tsx';
import { moneySentences, pricedLegs } from './money.ts';
import { ShareRing } from './share-ring.tsx';
import { couponsOf, type ExchangeAct, handoversOf, otherParties, othersOf } from './sides.ts';
import { endedBecause, nextStep } from './wording.ts';

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

interface ExchangeDetailProps {
  readonly exchange: Exchange;
  readonly hasJustSwapped: boolean;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
  /** What follows a completed exchange: claims and ratings. */
  readonly children: ReactNode;
}

/** The details of an exchange: coupons, message, progress, next step. */
export function ExchangeDetail({ exchange, hasJustSwapped, onAct, children }: ExchangeDetailProps) {
  const viewerId = useMember().id;
  const ended = endedBecause(exchange, viewerId);
  const isSwapping = useAfterFade(hasJustSwapped);
  return (
    <DealDetail
      dealType="exchange"
      status={exchange.status}
      head={
        <>
          <Text>
            <Trans>with {otherParties(exchange, viewerId)}</Trans>
          </Text>
          {othersOf(exchange, viewerId).map((party) => (
            <Standing key={party.id} person={party} />
          ))}
          {exchange.marketDay && (
            <Anchor component={Link} to={paths.marketDay(exchange.marketDay)} underline="always">
              <Trans>Swapped on market day, {formatDay(exchange.marketDay)}</Trans>
            </Anchor>
          )}
          {exchange.deadlineAt && (
            <Text c="dimmed">
              {exchange.kind === 'ring' && exchange.consentBy && exchange.status === 'pending'
                ? t`Everyone has to agree by ${formatDateTime(exchange.consentBy)}`
                : expiryText(exchange, exchange.deadlineAt)}
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
      steps={dealSteps('exchange', exchange)}
      rating={children}
      actions={
        <>
          <MessagesButton
            dealType="exchange"
            dealId={exchange.id}
            label={t`Messages of exchange #${exchange.id}`}
            size="sm"
          />
          <ExchangeActions exchange={exchange} isMain onAct={(act) => onAct(exchange, act)} />
        </>
      }
    >
      {exchange.kind === 'ring' ? (
        <ExchangeRing exchange={exchange} />
      ) : (
        <ExchangePair exchange={exchange} hasJustSwapped={isSwapping} />
      )}
      <ExchangeMoney exchange={exchange} />
      {exchange.deposit !== null && <Text>{depositSentence(exchange)}</Text>}
      <ExchangeRounds exchange={exchange} />
    </DealDetail>
  );
}

/** The deadline; to the minute where it is near. */
function expiryText(exchange: Exchange, deadline: string): string {
  if (exchange.status === 'accepted' && pricedLegs(exchange).length > 0) {
    return t`To be paid by ${formatDateTime(deadline)}`;
  }
  if (exchange.status === 'accepted' && exchange.deposit !== null) {
    return waitsForDeposits(exchange)
      ? t`Deposits are due by ${formatDateTime(deadline)}`
      : t`To be completed by ${formatDateTime(deadline)}`;
  }
  return t`Expires on ${(exchange.round > 1 ? formatDateTime : formatDate)(deadline)}`;
}

const TENSES: Record<DealStatus, HandoverTense> = {
  pending: 'now',
  accepted: 'now',
  completed: 'done',
  rejected: 'ended',
  cancelled: 'ended',
};

/** A ring for this viewer: who gives what to whom, and who has agreed. */
function ExchangeRing({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const handovers = handoversOf(exchange, viewerId);
  const tense = TENSES[exchange.status];
  return (
    <Stack gap="sm">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <HandoverSentences handovers={handovers} tense={tense} />
      </Text>
      {exchange.marketDay === null && <HandoverCircle handovers={handovers} tense={tense} />}
      {exchange.marketDay !== null && <RingSize people={exchange.parties.length} />}
      {exchange.status === 'completed' && exchange.parties.length <= RING_PEOPLE.max && (
        <div>
          <ShareRing people={exchange.parties.length} />
        </div>
      )}
      {exchange.status === 'pending' && (
        <Group
          component="ul"
          aria-label={t`Who has agreed`}
          gap="md"
          p={0}
          m={0}
          style={{ listStyle: 'none' }}
        >
          {exchange.parties.map(({ id, username, consentedAt }) => (
            <Group component="li" key={id} gap={6}>
              <Text span size="sm">
                {id === viewerId ? t`You` : username}
              </Text>
              {consentedAt === null ? (
                <ToneBadge tone="warning">
                  <Trans>Not yet</Trans>
                </ToneBadge>
              ) : (
                <ToneBadge tone="success">
                  <Trans>Agreed</Trans>
                </ToneBadge>
              )}
            </Group>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** A ring of market day may be long: its other people have nothing to do with the viewer. */
function RingSize({ people }: { people: number }) {
  return (
    <Text size="sm" c="dimmed">
      {plural(people, {
        one: 'In this ring, # person gave a coupon and got one, all at the same moment.',
        other: 'In this ring, # people each gave a coupon and got one, all at the same moment.',
      })}
    </Text>
  );
}

type ChangeWords = Record<'first' | 'added' | 'removed', (titles: string, username: string) => string>;

const OWN_CHANGES: ChangeWords = {
  first: (titles) => t`You give ${titles}.`,
  added: (titles) => t`Added: You give ${titles}.`,
  removed: (titles) => t`Removed: You no longer give ${titles}.`,
};

const OTHERS_CHANGES: ChangeWords = {
  first: (titles, username) => t`${username} gives ${titles}.`,
  added: (titles, username) => t`Added: ${username} gives ${titles}.`,
  removed: (titles, username) => t`Removed: ${username} no longer gives ${titles}.`,
};

/** What a round changed, or offered first, in sentences for the viewer. */
function roundText(round: Exchange, before: Exchange | undefined, viewerId: number): string {
  const sentences = round.parties.flatMap((party) => {
    const gives = couponsOf(round, party.id).gives;
    const gave = before ? couponsOf(before, party.id).gives : [];
    const titles = (coupons: typeof gives, without: typeof gives) =>
      coupons.filter(({ id }) => !without.some((one) => one.id === id)).map(({ title }) => title);
    const [added, removed] = [titles(gives, gave), titles(gave, gives)];
    const words = party.id === viewerId ? OWN_CHANGES : OTHERS_CHANGES;
    if (!before) return [words.first(quoted(added), party.username)];
    return [
      ...(added.length > 0 ? [words.added(quoted(added), party.username)] : []),
      ...(removed.length > 0 ? [words.removed(quoted(removed), party.username)] : []),
    ];
  });
  const [money, was] = [moneySentences(round, viewerId), before ? moneySentences(before, viewerId) : ''];
  if (money !== was) sentences.push(money === '' ? t`Removed: the money.` : money);
  return sentences.join(' ');
}

/** The rounds of a negotiation, each with its changes; nothing for a single round. */
function ExchangeRounds({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const isNegotiated = exchange.round > 1 || exchange.replacedById !== null;
  const { data: rounds } = trpc.exchanges.rounds.useQuery({ id: exchange.id }, { enabled: isNegotiated });
  if (!isNegotiated || !rounds) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" fw={600} mb={6}>
        <Trans>Offers so far</Trans>
      </Text>
      <ol style={{ margin: 0, paddingInlineStart: '1.25rem', overflowWrap: 'anywhere' }}>
        {rounds.map((round, index) => (
          <li key={round.id} aria-current={round.id === exchange.id ? 'step' : undefined}>
            <Text size="sm" fw={round.id === exchange.id ? 600 : undefined}>
              {round.requesterId === viewerId
                ? t`Round ${round.round} of ${ROUNDS_MAX}, by you, ${formatDateTime(round.createdAt)}`
                : t`Round ${round.round} of ${ROUNDS_MAX}, by ${round.requesterUsername}, ${formatDateTime(round.createdAt)}`}
            </Text>
            <Text size="sm">{roundText(round, rounds[index - 1], viewerId)}</Text>
          </li>
        ))}
      </ol>
    </div>
  );
}
