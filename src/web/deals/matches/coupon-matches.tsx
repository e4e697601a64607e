import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { alternatives } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { useCouponMatches } from './queries.ts';

/** What the owner of a coupon would take for it of the viewer, and the matches that it is part of. */
export function CouponMatches({ coupon }: { coupon: Coupon }) {
  const { data } = useCouponMatches(coupon.id);
  if (!data || (data.wouldTake.length === 0 && data.matches.length === 0)) return null;
  return (
    <Stack gap={4} component="section" aria-label={t`Matches with this coupon`}>
      {data.wouldTake.length > 0 && (
        <Text>
          <Trans>
            {coupon.ownerUsername} would exchange this for your{' '}
            {alternatives(data.wouldTake.map(({ title }) => quote(title)))}.
          </Trans>{' '}
          <ActiveOnly>
            <Anchor component={Link} to={paths.exchangeFor(coupon.id)} inherit underline="always">
              <Trans context="button">Exchange</Trans>
            </Anchor>
          </ActiveOnly>
        </Text>
      )}
      {data.matches.length > 0 && (
        <Text>
          {plural(data.matches.length, {
            one: 'You have # match with this coupon.',
            other: 'You have # matches with this coupon.',
          })}{' '}
          <Anchor component={Link} to={paths.matches} inherit underline="always">
            <Trans>See matches</Trans>
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
