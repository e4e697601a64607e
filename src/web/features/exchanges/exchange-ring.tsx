import { Group, Stack, Text } from '@mantine/core';
import type { DealStatus } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { HandoverCircle, HandoverSentence, type HandoverTense } from '#web/components/handovers.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { handoversOf } from './sides.ts';

const TENSES: Record<DealStatus, HandoverTense> = {
  pending: 'now',
  accepted: 'now',
  completed: 'done',
  rejected: 'ended',
  cancelled: 'ended',
};

/** A ring for this viewer: who gives what to whom, and who has agreed. */
export function ExchangeRing({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const handovers = handoversOf(exchange, viewerId);
  const tense = TENSES[exchange.status];
  return (
    <Stack gap="sm">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <HandoverSentence handovers={handovers} tense={tense} />
      </Text>
      <HandoverCircle handovers={handovers} tense={tense} />
      {exchange.status === 'pending' && (
        <Group component="ul" aria-label="Who has agreed" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
          {exchange.parties.map(({ id, username, consentedAt }) => (
            <Group component="li" key={id} gap={6}>
              <Text span size="sm">
                {id === viewerId ? 'You' : username}
              </Text>
              {consentedAt === null ? (
                <ToneBadge tone="warning">Not yet</ToneBadge>
              ) : (
                <ToneBadge tone="success">Agreed</ToneBadge>
              )}
            </Group>
          ))}
        </Group>
      )}
    </Stack>
  );
}
