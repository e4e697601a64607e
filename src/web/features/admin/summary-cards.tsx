import { Skeleton } from '@mantine/core';
import { FEE_PERCENT } from '#contract/fees.ts';
import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import classes from './admin.module.css';
import { Panel } from './panel.tsx';
import { useStats } from './queries.ts';

type Stats = NonNullable<ReturnType<typeof useStats>['data']>;

/** What the marketplace has earned, and how (spec/3 section 2). */
export function SummaryCards() {
  const read = useStats();
  return (
    <section aria-label="Summary">
      <Panel read={read} failure="Failed to load the summary" skeleton={<Cards />}>
        {(stats) => <Cards stats={stats} />}
      </Panel>
    </section>
  );
}

/** All words stand before the figures come, so that nothing moves then. */
function Cards({ stats }: { stats?: Stats }) {
  const percent = stats?.feePercent ?? FEE_PERCENT;
  return (
    <dl className={classes.summary} aria-busy={!stats}>
      <Card
        title="Total Platform Fees"
        value={stats && formatMoney(decimalToCents(stats.platformFees), BASE_CURRENCY)}
        hint="Fees of refunded sales are not in it"
      />
      <Card title="Current Rate" value={stats && `${percent}%`} hint={`${percent}% from each party`} />
      <Card
        title="Processed Transactions"
        value={stats?.processedTransactions.toLocaleString('en')}
        hint="Paid sales; exchanges are free"
      />
      <Card
        title="Collection Method"
        value="Card payment provider"
        hint="Kept back when a sale is paid"
        isText
      />
    </dl>
  );
}

interface CardProps {
  readonly title: string;
  /** Undefined while it is coming. */
  readonly value: string | undefined;
  readonly hint: string;
  /** Words where others have figures. */
  readonly isText?: boolean;
}

function Card({ title, value, hint, isText }: CardProps) {
  return (
    <div className={classes.summaryCard}>
      <dt>{title}</dt>
      <dd className={classes.figure} data-text={isText || undefined}>
        {value ?? <Skeleton component="span" display="inline-block" height="1em" width="50%" />}
      </dd>
      <dd className={classes.hint}>{hint}</dd>
    </div>
  );
}
