import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Match } from '#contract/deals/matches.ts';
import { SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { Surface } from '#web/components/surface.tsx';
import { FIRST_COUPON, useHasCoupon } from '#web/coupons/core/first-coupon.ts';
import { HandoverSentences } from '#web/deals/core/handovers.tsx';
import { TicketPair, TicketPairSkeleton } from '#web/deals/core/ticket-pair.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { MatchPeople } from './match-people.tsx';
import { agreementText, differenceText, handoversOf, matchTitle, ownLegs } from './wording.ts';

interface MatchListProps {
  /** The next step of somebody without a coupon. */
  readonly addButton: ReactNode;
}

/** The viewer's matches. There are few: somebody is in five at most. */
export function MatchList({ addButton }: MatchListProps) {
  const query = trpc.matches.list.useQuery();
  return (
    // Takes the focus when a match has gone.
    <div tabIndex={-1}>
      <QueryContent query={query} errorTitle={t`Error loading your matches`} skeleton={<MatchSkeleton />}>
        {(matches) =>
          matches.length === 0 ? (
            <NoMatches addButton={addButton} />
          ) : (
            <PlainList gap={16}>
              {matches.map((match) => (
                <li key={match.id}>
                  <MatchCard match={match} />
                </li>
              ))}
            </PlainList>
          )
        }
      </QueryContent>
    </div>
  );
}

function MatchSkeleton() {
  return (
    <Surface gap={16} aria-hidden="true">
      <Skeleton height={22} width="60%" />
      <TicketPairSkeleton size="card" />
      <Skeleton height={120} />
      <Skeleton height={36} width={230} radius="xl" />
    </Surface>
  );
}

function MatchCard({ match }: { match: Match }) {
  const titleId = useId();
  const { gives, gets } = ownLegs(match);
  return (
    <Surface component="article" gap={16} aria-labelledby={titleId}>
      <Group gap="xs" justify="space-between" align="flex-start">
        <Title order={2} size="h4" id={titleId} style={{ overflowWrap: 'anywhere' }}>
          {matchTitle(match)}
        </Title>
        {gets.isExplicit ? (
          <ToneBadge tone="success">
            <Trans>On your wish list</Trans>
          </ToneBadge>
        ) : (
          <ToneBadge tone="neutral">
            <Trans>You may like this</Trans>
          </ToneBadge>
        )}
      </Group>
      <TicketPair
        size="card"
        sides={[
          { label: t`You give`, coupons: [gives.coupon] },
          { label: t`You get`, coupons: [gets.coupon] },
        ]}
      />
      <MatchPeople match={match} />
      {match.legs.length > 2 && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          <HandoverSentences handovers={handoversOf(match)} />
        </Text>
      )}
      <Text>{agreementText(match)}</Text>
      <Text size="sm" c="dimmed">
        {differenceText(match)}
        {match.isExplicit && ` ${t`Everyone gets a coupon from their wish list.`}`}
      </Text>
      <Group gap="xs">
        <ActiveOnly>
          <Button
            aria-haspopup="dialog"
            aria-describedby={titleId}
            onClick={() => openDialog('proposeMatch', { match })}
          >
            <Trans context="button">Exchange</Trans>
          </Button>
        </ActiveOnly>
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-describedby={titleId}
          onClick={() => openDialog('dismissMatch', { match })}
        >
          <Trans>Not for me</Trans>
        </Button>
      </Group>
    </Surface>
  );
}

function NoMatches({ addButton }: MatchListProps) {
  const hasCoupon = useHasCoupon(true);
  if (hasCoupon === undefined) return <MatchSkeleton />;
  if (!hasCoupon) {
    return (
      <EmptyState
        title={FIRST_COUPON}
        text={t`We look for people who want it and who have something for you, for an exchange of two or a ring of more.`}
        drawing={<SwapDrawing />}
        action={addButton}
      />
    );
  }
  return (
    <EmptyState
      title={t`No matches yet`}
      text={t`Add what you are looking for, and what you would give for it, to your wish list. We tell you when we find an exchange. We include your coupons while they are open to exchanges.`}
      drawing={<SwapDrawing />}
      action={
        <Group justify="center" gap="sm">
          <Button component={Link} to={paths.wants}>
            <Trans>See your wish list</Trans>
          </Button>
          <Button component={Link} to={paths.myCoupons} variant="default">
            <Trans>See your coupons</Trans>
          </Button>
        </Group>
      }
    />
  );
}
