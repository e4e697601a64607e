import { Text } from '@mantine/core';
import type { Standing as StandingFacts } from '#contract/standing.ts';
import { formatDate } from '#web/lib/format.ts';

interface StandingProps {
  readonly person: StandingFacts & { readonly username: string };
}

/** How old a person's account is and what it has done, for whoever decides about a deal with them. */
export function Standing({ person: { username, memberSince, dealPartners, failedCodes } }: StandingProps) {
  const people = dealPartners === 1 ? '1 person' : `${dealPartners} people`;
  const codes = failedCodes === 1 ? '1 code' : `${failedCodes} codes`;
  return (
    <Text size="sm">
      {username}: member since {formatDate(memberSince)},{' '}
      {dealPartners === 0 ? 'no completed deals' : `completed deals with ${people}`}
      {failedCodes > 0 && (
        <>
          {', '}
          <Text component="span" inherit c="var(--danger-ink)" fw={600}>
            gave {codes} that did not work
          </Text>
        </>
      )}
    </Text>
  );
}
