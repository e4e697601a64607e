import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { daySchema } from '#contract/base/primitives.ts';
import { NotFound } from '#web/components/not-found.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { MarketDayReport } from '#web/deals/market-days/market-day-report.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

/** What a market day has traded, with its proof. */
export function Component() {
  const day = daySchema.safeParse(useParams().day).data;
  const query = trpc.marketDays.byDay.useQuery({ day: day ?? '' }, { enabled: day !== undefined });
  if (day === undefined || hasCode(query.error, 'not_found')) return <NoMarketDay />;
  return (
    <PageShell title={t`Market day of ${formatDay(day)}`} size="md">
      <QueryContent
        query={query}
        errorTitle={t`Error loading the market day`}
        skeleton={<Skeleton height={360} radius="md" />}
      >
        {(marketDay) => <MarketDayReport marketDay={marketDay} />}
      </QueryContent>
    </PageShell>
  );
}

function NoMarketDay() {
  return (
    <NotFound
      title={t`Market day not found`}
      heading={t`There was no market day on this day`}
      text={t`The link may be incomplete.`}
      next={{ to: paths.matches, label: t`See matches` }}
    />
  );
}
