import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { type Mutation, useMutationState } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Offer } from '#web/components/offer.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { pushSupport } from '#web/people/push/push.ts';
import { useTurnOn } from './use-turn-on.ts';

/** The question, by the router of the act. */
const QUESTIONS: Record<string, string> = {
  bids: t`Want to know at once when your bid is answered?`,
  exchanges: t`Want to know at once when your proposal is answered?`,
  matches: t`Want to know at once when your proposal is answered?`,
  wants: t`Want to know at once when a coupon you look for is listed?`,
  messages: t`Want to know at once when they answer?`,
};

const keyOf = (userId: number) => `clipswap.push-ask.${userId}`;

/** The acts after which somebody waits. */
const WAITING =
  /^(bids\.(place|counter)|(exchanges|matches)\.(propose|counter)|wants\.create|messages\.send)$/;

/** The call of a mutation, such as 'bids.place'. */
function callOf({ options }: Mutation): string {
  const [path] = options.mutationKey ?? [];
  return Array.isArray(path) ? path.join('.') : '';
}

/**
 * Asks once a person and browser whether pushes may come, after an act that makes them wait; only a yes makes the browser
 * ask.
 */
export function PushAsk() {
  const { user } = useViewer();
  const last = useMutationState({
    filters: { status: 'success', predicate: (mutation) => WAITING.test(callOf(mutation)) },
    select: (mutation) => ({ id: mutation.mutationId, router: callOf(mutation).split('.')[0] ?? '' }),
  }).at(-1);
  const [endedAt, setEndedAt] = useState(0);
  if (!user || !last || last.id <= endedAt || pushSupport() !== 'possible') return null;
  const question = QUESTIONS[last.router] ?? '';
  return <Ask key={user.id} userId={user.id} question={question} onEnd={() => setEndedAt(last.id)} />;
}

function Ask({ userId, question, onEnd }: { userId: number; question: string; onEnd: () => void }) {
  const [isNew] = useState(
    () => !withStorage('localStorage', (storage) => storage.getItem(keyOf(userId)) !== null),
  );
  const { data } = trpc.push.settings.useQuery(undefined, { enabled: isNew });
  const { turnOn, isPending } = useTurnOn();
  const isAsked = isNew && data !== undefined && !data.browsers.some(({ isCurrent }) => isCurrent);
  useEffect(() => {
    if (isAsked) withStorage('localStorage', (storage) => storage.setItem(keyOf(userId), 'asked'));
  }, [isAsked, userId]);
  if (!isAsked) return null;
  return (
    <Offer label={t`Push notifications`} place="top" closeLabel={t`No, thank you`} onClose={onEnd}>
      <Text size="sm" role="status">
        {question}
      </Text>
      <Button
        variant="default"
        flex="none"
        size="compact-md"
        loading={isPending}
        onClick={() => turnOn().then(onEnd)}
      >
        {t`Notify me`}
      </Button>
    </Offer>
  );
}
