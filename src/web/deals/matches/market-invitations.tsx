import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Invitation } from '#contract/deals/matches.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** The merchants whose coupons would bring more swaps, and how many swaps are possible today. */
export function MarketInvitations({ addButton }: { addButton: ReactNode }) {
  const { data } = trpc.matches.market.useQuery();
  if (!data || data.invitations.length === 0) return null;
  const { day, invitations } = data;
  return (
    <Surface component="section" aria-labelledby="invitations" gap={12} mt="lg">
      <Title order={2} size="h4" id="invitations">
        <Trans>Coupons that would bring more exchanges</Trans>
      </Title>
      <PlainList gap={8}>
        {invitations.map((invitation) => (
          <li key={invitation.merchant}>
            <Anchor
              component={Link}
              to={paths.merchant(invitation.merchant)}
              underline="always"
              className="target"
            >
              {invitation.merchant}
            </Anchor>
            <Text size="sm" c="dimmed">
              {peopleText(invitation)}
            </Text>
          </li>
        ))}
      </PlainList>
      <Group>{addButton}</Group>
      {day && day.possible > 0 && (
        <Text size="sm" c="dimmed">
          {plural(day.possible, {
            one: '# suggested swap can happen today.',
            other: '# suggested swaps can all happen today.',
          })}
        </Text>
      )}
    </Surface>
  );
}

function peopleText({ people, isSwap }: Invitation): string {
  return isSwap
    ? plural(people, {
        one: '# person who has something for you would swap it for a coupon of this merchant.',
        other: '# people who have something for you would swap it for a coupon of this merchant.',
      })
    : plural(people, {
        one: '# person would swap for a coupon of this merchant.',
        other: '# people would swap for a coupon of this merchant.',
      });
}
