import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { Standing as StandingFacts } from '#contract/deals/standing.ts';
import { formatDate } from '#web/lib/format.ts';

interface StandingProps {
  readonly person: StandingFacts & { readonly username: string };
}

/** How old a person's account is and what it has done, for whoever decides about a deal with them. */
export function Standing({ person: { username, memberSince, dealPartners, failedCodes } }: StandingProps) {
  const since = formatDate(memberSince);
  return (
    <Text size="sm">
      {dealPartners === 0
        ? t`${username}: member since ${since}, no completed deals.`
        : t`${username}: member since ${since}, completed deals with ${plural(dealPartners, { one: '# person', other: '# people' })}.`}{' '}
      {failedCodes > 0 && (
        <Text component="span" inherit c="var(--danger-ink)" fw={600}>
          {plural(failedCodes, {
            one: 'They gave # code that did not work.',
            other: 'They gave # codes that did not work.',
          })}
        </Text>
      )}
    </Text>
  );
}
