import { Text } from '@mantine/core';
import { ROUNDS_MAX } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import { quoted } from '#contract/words.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { couponsOf } from './sides.ts';

/** What a round changed, or offered first, in sentences for the viewer. */
function roundText(round: Exchange, before: Exchange | undefined, viewerId: number): string {
  const nameOf = ({ id, username }: { id: number; username: string }) => (id === viewerId ? 'You' : username);
  const sentences = round.parties.flatMap((party) => {
    const gives = couponsOf(round, party.id).gives;
    const gave = before ? couponsOf(before, party.id).gives : [];
    const titles = (coupons: typeof gives, without: typeof gives) =>
      coupons.filter(({ id }) => !without.some((one) => one.id === id)).map(({ title }) => title);
    const [added, removed] = [titles(gives, gave), titles(gave, gives)];
    const who = nameOf(party);
    const verb = who === 'You' ? 'give' : 'gives';
    if (!before) return [`${who} ${verb} ${quoted(added)}.`];
    return [
      ...(added.length > 0 ? [`Added: ${who} ${verb} ${quoted(added)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${who} no longer ${verb} ${quoted(removed)}.`] : []),
    ];
  });
  return sentences.join(' ');
}

/** The rounds of a negotiation, each with its changes; nothing for a single round. */
export function ExchangeRounds({ exchange }: { exchange: Exchange }) {
  const viewerId = useMember().id;
  const isNegotiated = exchange.round > 1 || exchange.replacedById !== null;
  const { data: rounds } = trpc.exchanges.rounds.useQuery({ id: exchange.id }, { enabled: isNegotiated });
  if (!isNegotiated || !rounds) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" fw={600} mb={6}>
        The negotiation
      </Text>
      <ol style={{ margin: 0, paddingInlineStart: '1.25rem', overflowWrap: 'anywhere' }}>
        {rounds.map((round, index) => (
          <li key={round.id} aria-current={round.id === exchange.id ? 'step' : undefined}>
            <Text size="sm" fw={round.id === exchange.id ? 600 : undefined}>
              Round {round.round} of {ROUNDS_MAX},{' '}
              {round.requesterId === viewerId ? 'you' : round.requesterUsername},{' '}
              {formatDateTime(round.createdAt)}
            </Text>
            <Text size="sm">{roundText(round, rounds[index - 1], viewerId)}</Text>
          </li>
        ))}
      </ol>
    </div>
  );
}
