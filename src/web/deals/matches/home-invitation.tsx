import { plural } from '@lingui/core/macro';
import { Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Invitation as MarketInvitation } from '#contract/deals/matches.ts';
import { HomeMarketDay } from '#web/deals/market-days/home-market-day.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** Tells people without a deal for which merchant's coupon most people would swap. */
export function HomeInvitation() {
  const best = trpc.matches.market.useQuery().data?.invitations[0];
  return (
    <Stack gap={4} align="inherit">
      {best && <Invitation {...best} />}
      <HomeMarketDay />
    </Stack>
  );
}

function Invitation({ merchant, people }: Pick<MarketInvitation, 'merchant' | 'people'>) {
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
