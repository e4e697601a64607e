import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatDay, formatNumber, percentText } from '#contract/base/locale.ts';
import { baseCurrency, type Cents, decimalToCents, formatMoney, moneyText } from '#contract/base/money.ts';
import { eachRateText, type FeeRates } from '#contract/money/fees.ts';
import type { WeeklyFees } from '#contract/oversight/operations.ts';
import { Surface } from '#web/components/surface.tsx';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import classes from './admin.module.css';
import { DataTable } from './data-table.tsx';
import { FeeBars } from './fee-bars.tsx';
import { Panel } from './panel.tsx';
import { useStats, useWeeklyFees } from './queries.ts';
import type { Column } from './table-types.ts';

type Stats = NonNullable<ReturnType<typeof useStats>['data']>;

/** The platform's earnings as four cards (spec/3 section 2). */
export function SummaryCards() {
  const read = useStats();
  return (
    <section aria-label={t`Summary`}>
      <Panel read={read} failure={t`Failed to load the summary`} skeleton={<Cards />}>
        {(stats) => <Cards stats={stats} />}
      </Panel>
    </section>
  );
}

/** Renders all labels before the figures are loaded, so that nothing moves. */
function Cards({ stats }: { stats?: Stats }) {
  const rates = stats?.feeRates ?? feeRatesNow();
  return (
    <dl className={classes.summary} aria-busy={!stats}>
      <Card
        title={t`Total Platform Fees`}
        value={stats && moneyText(stats.platformFees)}
        hint={t`After refunds and chargebacks`}
      />
      <Card title={t`Current Rate`} value={stats && shortRateText(rates)} hint={eachRateText(rates)} />
      <Card
        title={t`Processed Transactions`}
        value={stats && formatNumber(stats.processedTransactions)}
        hint={t`Paid sales; exchanges are free`}
      />
      <Card
        title={t`Collection Method`}
        value={t`Card payment provider`}
        hint={t`Deducted when a sale is paid`}
        isText
      />
    </dl>
  );
}

/** '5%', or '4% + 6%' where the parties' rates differ. */
function shortRateText({ buyer, seller }: FeeRates): string {
  const [buyers, sellers] = [percentText(buyer.basisPoints), percentText(seller.basisPoints)];
  return buyers === sellers ? buyers : `${buyers} + ${sellers}`;
}

interface CardProps {
  readonly title: string;
  /** Undefined while it loads. */
  readonly value: string | undefined;
  readonly hint: string;
  /** Whether the value is text and not a figure. */
  readonly isText?: boolean;
}

function Card({ title, value, hint, isText }: CardProps) {
  return (
    <Surface>
      <dt>{title}</dt>
      <dd className={classes.figure} data-text={isText || undefined}>
        {value ?? <Skeleton component="span" display="inline-block" height="1em" width="50%" />}
      </dd>
      <dd className={classes.hint}>{hint}</dd>
    </Surface>
  );
}

const COLUMNS: readonly Column<WeeklyFees>[] = [
  { title: t`Week from`, render: ({ week }) => formatDay(week) },
  { title: t`Sales`, render: ({ sales }) => sales, isNumber: true },
  { title: t`Fees`, render: ({ fees }) => moneyText(fees), isNumber: true },
];

/** Sums the weeks up in a sentence, for those who cannot see the bars. */
export function feesSentence(weeks: readonly WeeklyFees[]): string {
  const sum = weeks.reduce<Cents>((total, { fees }) => total + decimalToCents(fees), 0);
  const best = weeks.reduce<WeeklyFees | undefined>(
    (top, week) => (top && decimalToCents(top.fees) >= decimalToCents(week.fees) ? top : week),
    undefined,
  );
  if (!best || sum === 0) return t`No fees in the last ${weeks.length} weeks.`;
  return t`${formatMoney(sum, baseCurrency())} in the last ${weeks.length} weeks; the best week, from ${formatDay(best.week)}, brought ${moneyText(best.fees)}.`;
}

/** Fees per week as bars, or as a table. */
export function FeeChart() {
  const read = useWeeklyFees();
  const [isTable, setIsTable] = useState(false);
  return (
    <Surface component="section" mb={32} aria-labelledby="fees-per-week">
      <Group justify="space-between" gap={8}>
        <Title order={2} size="h4" id="fees-per-week">
          <Trans>Fees per week</Trans>
        </Title>
        <Button variant="default" size="compact-sm" onClick={() => setIsTable(!isTable)}>
          {isTable ? t`Show as a chart` : t`Show as a table`}
        </Button>
      </Group>
      <Panel read={read} failure={t`Failed to load the fees per week`} skeleton={<ChartSkeleton />}>
        {(weeks) => (
          <>
            <Text size="sm" c="dimmed" className={classes.chartText}>
              {feesSentence(weeks)}
            </Text>
            {isTable ? (
              <DataTable
                label={t`Fees per week`}
                columns={COLUMNS}
                rows={[...weeks].reverse()}
                rowKey={({ week }) => week}
              />
            ) : (
              <FeeBars weeks={weeks} />
            )}
          </>
        )}
      </Panel>
    </Surface>
  );
}

function ChartSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.chartText}>
        <Skeleton height={16} width="60%" />
      </div>
      <Skeleton height={220} />
    </div>
  );
}
