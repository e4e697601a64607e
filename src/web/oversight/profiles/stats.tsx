import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#contract/base/locale.ts';
import { formatMoney } from '#contract/base/money.ts';
import type { UserStats } from '#contract/oversight/profiles.ts';
import { Surface } from '#web/components/surface.tsx';
import { formatPoints } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './profile.module.css';

/** Shown where the numbers cannot be loaded (spec/3 section 7). */
const ZEROS: UserStats = {
  totalCoupons: 0,
  totalExchanges: 0,
  totalBids: 0,
  reputation: 0,
  savingsGenerated: 0,
  usedValue: 0,
  scores: { overall: 0, coupons: 0, exchanges: 0, bids: 0, ratings: 0 },
};

/** The viewer's numbers; zeros and `hasFailed` where they cannot be loaded. */
export function useStatsOrZeros() {
  const { data, error, isFetching, refetch } = trpc.profiles.stats.useQuery(undefined, {
    refetchOnMount: 'always',
  });
  return {
    stats: data ?? (error ? ZEROS : undefined),
    hasFailed: error !== null && !data,
    isFetching,
    refetch,
  };
}

/** The viewer's reputation, deals, coupons and savings. */
export function OwnStats() {
  const currency = useCurrency();
  const { stats, hasFailed, isFetching, refetch } = useStatsOrZeros();
  return (
    <div>
      <StatTiles
        label={t`Your numbers`}
        stats={[
          {
            name: t`Reputation`,
            value: stats && formatPoints(stats.reputation),
            unit: t`pts`,
          },
          { name: t`Exchanges`, value: stats && formatNumber(stats.totalExchanges) },
          { name: t`Coupons`, value: stats && formatNumber(stats.totalCoupons) },
          { name: t`Bids`, value: stats && formatNumber(stats.totalBids) },
          { name: t`Savings generated`, value: stats && formatMoney(stats.savingsGenerated, currency) },
        ]}
      />
      {stats !== undefined && stats.usedValue > 0 && (
        <Text mt="sm">
          <Trans>You saved {formatMoney(stats.usedValue, currency)} this year with coupons you used.</Trans>
        </Text>
      )}
      {hasFailed && (
        <Group gap="0 8px" mih={44} c="dimmed" fz="sm" role="status">
          <Trans>We could not load your numbers.</Trans>
          <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => refetch()}>
            <Trans>Retry</Trans>
          </Button>
        </Group>
      )}
    </div>
  );
}

interface StatTilesProps {
  readonly label: string;
  /** A value is undefined while it loads. */
  readonly stats: readonly {
    readonly name: string;
    readonly value: ReactNode;
    readonly unit?: string;
  }[];
}

/** Numbers side by side. */
export function StatTiles({ label, stats }: StatTilesProps) {
  return (
    <section aria-label={label}>
      <dl className={classes.tiles}>
        {stats.map(({ name, value, unit }) => (
          <Surface key={name} bdrs="md" className={classes.tile}>
            <dt>{name}</dt>
            <dd>
              {value === undefined ? <Skeleton height={22} width="60%" my={3.5} /> : value}
              {value !== undefined && unit && (
                <Text span fz="sm" fw={600} c="dimmed">
                  {' '}
                  {unit}
                </Text>
              )}
            </dd>
          </Surface>
        ))}
      </dl>
    </section>
  );
}
