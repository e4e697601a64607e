import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { useCouponMatches } from './queries.ts';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** What the owner of a coupon would take for it of the viewer, and the matches that it is part of. */
export function CouponMatches({ coupon }: { coupon: Coupon }) {
  const { data } = useCouponMatches(coupon.id);
  if (!data || (data.wouldTake.length === 0 && data.matches.length === 0)) return null;
  return (
    <Stack gap={4} component="section" aria-label="Matches with this coupon">
      {data.wouldTake.length > 0 && (
        <Text>
          {coupon.ownerUsername} would swap this for your{' '}
          {alternatives.format(data.wouldTake.map(({ title }) => `“${title}”`))}.{' '}
          <ActiveOnly>
            <Anchor component={Link} to={paths.exchangeFor(coupon.id)} inherit underline="always">
              Propose swap
            </Anchor>
          </ActiveOnly>
        </Text>
      )}
      {data.matches.length > 0 && (
        <Text>
          It is part of {data.matches.length} of your matches.{' '}
          <Anchor component={Link} to={paths.matches} inherit underline="always">
            See matches
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
