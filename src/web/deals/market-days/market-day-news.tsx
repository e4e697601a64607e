import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import type { CouponConsent } from '#contract/deals/market-days.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useConsents, useMarketDay } from './queries.ts';
import { forecastText, hourText } from './wording.ts';

/** For members: the next market day, what would change hands, and which of their coupons may. */
export function MarketDayNews() {
  const { data: next } = useMarketDay();
  const { data: consents } = useConsents();
  if (!next || !consents) return null;
  return (
    <Surface component="section" aria-labelledby="market-day" gap={12} mt="lg">
      <Title order={2} size="h4" id="market-day">
        <Trans>Market day</Trans>
      </Title>
      <Text>
        <Trans>
          On {formatDay(next.day)} at {hourText(next.at, next.timeZone)} we make the swaps by which most
          people get what they look for, for everyone who has agreed to it.
        </Trans>{' '}
        {forecastText(next)}
      </Text>
      {consents.coupons.length > 0 && (
        <PlainList gap={8}>
          {consents.coupons.map((consent) => (
            <li key={consent.coupon.id}>
              <AgreedCoupon consent={consent} />
            </li>
          ))}
        </PlainList>
      )}
      <Group gap="md">
        <Anchor component={Link} to={paths.wants} underline="always" className="target">
          {consents.wants.length > 0 ? <Trans>Your wish list</Trans> : <Trans>Take part with a wish</Trans>}
        </Anchor>
        <Anchor component={Link} to={paths.marketDay(next.day)} underline="always" className="target">
          <Trans>How market day works</Trans>
        </Anchor>
      </Group>
    </Surface>
  );
}

/** A coupon that may go without asking. */
function AgreedCoupon({ consent: { coupon, until } }: { consent: CouponConsent }) {
  const withdraw = trpc.marketDays.withdrawCoupon.useMutation();
  const takeBack = () =>
    withdraw.mutate(
      { couponId: coupon.id },
      {
        onSuccess: () =>
          toasts.success(t`Taken back`, t`We will ask you before “${coupon.title}” is swapped.`),
        onError: (error) => toasts.failed(error, t`Not taken back`),
      },
    );
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} flex="1 1 12rem">
        <Trans>
          “{coupon.title}” may go, until {formatDay(until)}.
        </Trans>
      </Text>
      <Button size="compact-md" variant="default" loading={withdraw.isPending} onClick={takeBack}>
        <Trans>
          Take back<VisuallyHidden>: {coupon.title}</VisuallyHidden>
        </Trans>
      </Button>
    </Group>
  );
}
