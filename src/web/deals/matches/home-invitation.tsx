import { plural } from '@lingui/core/macro';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Tells people without a deal for which merchant's coupon most people would swap. */
export function HomeInvitation() {
  const best = trpc.matches.market.useQuery().data?.invitations[0];
  if (!best) return null;
  const { merchant, people } = best;
  return (
    <Anchor
      component={Link}
      to={paths.merchant(merchant)}
      underline="always"
      style={{ overflowWrap: 'anywhere' }}
    >
      {plural(people, {
        one: `# person would swap for a coupon of ${merchant}.`,
        other: `# people would swap for a coupon of ${merchant}.`,
      })}
    </Anchor>
  );
}
