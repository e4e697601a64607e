import { Plural } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Tells visitors for which merchant's coupon most people would swap. */
export function HomeInvitation() {
  const { data } = trpc.matches.market.useQuery();
  const best = data?.invitations[0];
  if (!best) return null;
  const { merchant, people } = best;
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      <Plural
        value={people}
        one={
          <>
            # person would swap for a coupon of{' '}
            <Anchor component={Link} to={paths.merchant(merchant)} inherit underline="always">
              {merchant}
            </Anchor>
            .
          </>
        }
        other={
          <>
            # people would swap for a coupon of{' '}
            <Anchor component={Link} to={paths.merchant(merchant)} inherit underline="always">
              {merchant}
            </Anchor>
            .
          </>
        }
      />
    </Text>
  );
}
