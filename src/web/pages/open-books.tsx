import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatDay, formatNumber } from '#contract/base/locale.ts';
import { moneyText } from '#contract/base/money.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import {
  BOOKS_DAYS,
  type BooksFigures,
  type BooksPeriod,
  SMALLEST_COUNT,
} from '#contract/oversight/proofs.ts';
import { Facts } from '#web/components/facts.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { trpc } from '#web/lib/trpc.ts';
import classes from '#web/oversight/proofs/proofs.module.css';

/** What the market shows of itself, once a day: deals, claims and how they ended, and money that waits. */
export function Component() {
  const query = trpc.proofs.openBooks.useQuery();
  return (
    <PageShell
      title={PAGES.openBooks.title()}
      text={t`How this market is doing, counted from our deals and our ledger once a day.`}
      size="md"
    >
      <QueryContent
        query={query}
        errorTitle={t`Error loading the open books`}
        skeleton={<Skeleton height={480} radius="md" />}
      >
        {({ figures, root }) =>
          figures && root ? (
            <Stack gap={40}>
              <div className={classes.columns}>
                <Period title={t`The last ${BOOKS_DAYS} days`} period={figures.recent} />
                <Period title={t`Since the beginning`} period={figures.all} />
              </div>
              <Money figures={figures} />
              <Text size="sm">
                <Trans>
                  Counted on {formatDay(root.day)}. These figures are part of that day’s{' '}
                  <Anchor component={Link} to={paths.proofs} inherit underline="always">
                    daily root
                  </Anchor>
                  :
                </Trans>{' '}
                <span className={classes.hash} translate="no">
                  {root.root}
                </span>
              </Text>
            </Stack>
          ) : (
            <Text>
              <Trans>The first figures are counted within the next hour.</Trans>
            </Text>
          )
        }
      </QueryContent>
    </PageShell>
  );
}

const fewer = () => t`Fewer than ${SMALLEST_COUNT}`;
const countText = (count: number | null) => (count === null ? fewer() : formatNumber(count));

function hoursText(hours: number | null): string {
  if (hours === null) return t`Too few to say`;
  if (hours < 1) return t`Less than an hour`;
  return plural(Math.round(hours), { one: '# hour', other: '# hours' });
}

function Period({ title, period }: { title: string; period: BooksPeriod }) {
  const { claimsPer100 } = period;
  const facts = [
    { name: t`Completed swaps and rings`, value: countText(period.swaps) },
    { name: t`Completed sales`, value: countText(period.sales) },
    { name: t`Claims that a code does not work`, value: countText(period.claims) },
    {
      name: t`Claims per 100 deals`,
      value: claimsPer100 === null ? t`Too few to say` : formatNumber(claimsPer100),
    },
    { name: t`Claims upheld`, value: countText(period.granted) },
    { name: t`Claims declined`, value: countText(period.declined) },
    { name: t`Claims withdrawn`, value: countText(period.withdrawn) },
    { name: t`Claims still open`, value: countText(period.open) },
    { name: t`Median answer time`, value: hoursText(period.hoursToAnswer) },
    { name: t`Median decision time`, value: hoursText(period.hoursToDecide) },
    {
      name: t`Oldest open claim`,
      value:
        period.hoursOldest == null ? t({ context: 'claim', message: 'None' }) : hoursText(period.hoursOldest),
    },
  ];
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <Facts layout="lines" facts={facts} />
    </section>
  );
}

function Money({ figures }: { figures: BooksFigures }) {
  const { reserve, salesHeld, heldAmount, payoutsWaiting, payoutsAmount } = figures;
  const amount = (given: string | null) => (given === null ? t`Too few to say` : moneyText(given));
  const facts = [
    { name: t`Sales whose money we hold`, value: countText(salesHeld) },
    ...(salesHeld === 0 ? [] : [{ name: t`Money that we hold`, value: amount(heldAmount) }]),
    { name: t`Payouts on hold`, value: countText(payoutsWaiting) },
    ...(payoutsWaiting === 0 ? [] : [{ name: t`Money in these payouts`, value: amount(payoutsAmount) }]),
    ...(reserve === null ? [] : [{ name: t`Reserve for late claims`, value: moneyText(reserve) }]),
  ];
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        <Trans>Money today</Trans>
      </Title>
      <Facts layout="lines" facts={facts} />
      <Text size="sm" c="dimmed" mt="sm">
        <Trans>We hide counts under {SMALLEST_COUNT} that could identify someone.</Trans>
      </Text>
    </section>
  );
}
