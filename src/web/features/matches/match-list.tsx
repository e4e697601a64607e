import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { Match } from '#contract/matches.ts';
import { paths } from '#contract/pages.ts';
import { SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { HandoverCircle, HandoverSentences } from '#web/components/handovers.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly, useCurrency } from '#web/lib/viewer.tsx';
import { differenceText, handoversOf, matchTitle, ownLegs } from './wording.ts';

/** The viewer's matches. There are few: somebody is in five at most. */
export function MatchList() {
  const query = trpc.matches.list.useQuery();
  return (
    // Takes the focus when a match has gone.
    <div tabIndex={-1}>
      <QueryContent
        query={query}
        errorTitle="Error loading your matches"
        skeleton={<Skeleton height={330} radius="lg" />}
      >
        {(matches) =>
          matches.length === 0 ? (
            <NoMatches />
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

function MatchCard({ match }: { match: Match }) {
  const currency = useCurrency();
  const titleId = useId();
  const handovers = handoversOf(match);
  return (
    <Paper component="article" radius="lg" p="md" withBorder aria-labelledby={titleId}>
      <Stack gap="sm">
        <Group gap="xs" justify="space-between" align="flex-start">
          <Title order={2} size="h4" id={titleId} style={{ overflowWrap: 'anywhere' }}>
            {matchTitle(match)}
          </Title>
          {ownLegs(match).gets.isExplicit ? (
            <ToneBadge tone="success">On your wish list</ToneBadge>
          ) : (
            <ToneBadge tone="neutral">You may like this</ToneBadge>
          )}
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <HandoverSentences handovers={handovers} />
        </Text>
        <HandoverCircle handovers={handovers} />
        <Text size="sm" c="dimmed">
          {differenceText(match, currency)}
          {match.isExplicit && ' Everyone gets a coupon from their wish list.'}
        </Text>
        <Group gap="xs">
          <ActiveOnly>
            <Button
              aria-haspopup="dialog"
              aria-describedby={titleId}
              onClick={() => openDialog('proposeMatch', { match })}
            >
              Propose swap
            </Button>
          </ActiveOnly>
          <Button
            variant="default"
            aria-haspopup="dialog"
            aria-describedby={titleId}
            onClick={() => openDialog('dismissMatch', { match })}
          >
            Not for me
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function NoMatches() {
  return (
    <EmptyState
      title="No matches yet"
      text="Add what you are looking for, and what you would give for it, to your wish list. We tell you when we find a swap. We include your coupons while they are open to offers."
      drawing={<SwapDrawing />}
      action={
        <Group justify="center" gap="sm">
          <Button component={Link} to={paths.wants}>
            See your wish list
          </Button>
          <Button component={Link} to={paths.myCoupons} variant="default">
            See your coupons
          </Button>
        </Group>
      }
    />
  );
}
