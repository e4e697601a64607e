import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import type { WeeklyFees } from '#contract/operations.ts';
import { formatDay } from '#web/lib/format.ts';
import { niceTop } from './wording.ts';

const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A bar for each week, in whole cents. */
export function FeeBars({ weeks }: { weeks: readonly WeeklyFees[] }) {
  const top = niceTop(Math.max(0, ...weeks.map(({ fees }) => decimalToCents(fees))));
  const data = weeks.map(({ week, fees }) => ({ week, Fees: decimalToCents(fees) }));
  return (
    <BarChart
      h="100%"
      data={data}
      dataKey="week"
      series={[{ name: 'Fees', color: 'clip.6' }]}
      maxBarWidth={28}
      tickLine="none"
      gridAxis="x"
      valueFormatter={(cents) => formatMoney(cents, BASE_CURRENCY)}
      xAxisProps={{
        tickFormatter: (week: string) => shortDay.format(new Date(`${week}T00:00:00Z`)),
        minTickGap: 24,
      }}
      yAxisProps={{
        width: 64,
        domain: [0, top],
        ticks: [0, top / 2, top],
        tickFormatter: (cents: number) => `$${cents / 100}`,
      }}
      tooltipProps={{
        // Also called while nothing is hovered.
        labelFormatter: (week) => (typeof week === 'string' ? `Week from ${formatDay(week)}` : ''),
      }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false, radius: [4, 4, 0, 0] }}
      tooltipAnimationDuration={0}
    />
  );
}
