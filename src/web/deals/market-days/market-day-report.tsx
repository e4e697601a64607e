import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { formatDay, formatNumber, listed } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import type { MarketDay } from '#contract/deals/market-days.ts';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { CertificateCheck } from './certificate-check.tsx';
import classes from './market-days.module.css';
import { useMarketDay } from './queries.ts';
import { forecastText, hourText } from './wording.ts';

/** What a market day has traded, or will. */
export function MarketDayReport({ marketDay }: { marketDay: MarketDay }) {
  const { at, state, own, previous, next } = marketDay;
  return (
    <Stack gap={32}>
      <Stack gap="sm" maw="42rem">
        <Text>{stateText(state, formatDateTime(at))}</Text>
        <Text>
          <Trans>
            You take part by agreeing beforehand: for a wish, and for the coupons that you would give for it.
            Market day then makes the swaps by which the most wishes are fulfilled, in pairs and in rings. All
            coupons of a ring change owners at the same moment, so nobody gives without getting.
          </Trans>
        </Text>
      </Stack>
      {state === 'planned' && <Announced />}
      {own && <Own own={own} />}
      {state === 'done' && <Traded marketDay={marketDay} />}
      {(previous || next) && (
        <Group component="nav" aria-label={t`Other market days`}>
          {previous && (
            <Anchor component={Link} to={paths.marketDay(previous)} underline="always" className="target">
              {formatDay(previous)}
            </Anchor>
          )}
          {next && (
            <Anchor component={Link} to={paths.marketDay(next)} underline="always" className="target">
              {formatDay(next)}
            </Anchor>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** For a day to come: what would change hands, until when one can take back, and how to take part. */
function Announced() {
  const { data: next, isPending } = useMarketDay();
  if (isPending) return <Skeleton height={108} radius="md" />;
  if (!next) return null;
  return (
    <Stack gap="sm" maw="42rem">
      <Text fw={600}>{forecastText(next)}</Text>
      <Text>{t`Until ${hourText(next.locksAt, next.timeZone)} you can agree, or take back what you have agreed to.`}</Text>
      <div>
        <Button component={Link} to={paths.wants}>
          <Trans>Choose a wish</Trans>
        </Button>
      </div>
    </Stack>
  );
}

function stateText(state: MarketDay['state'], time: string): string {
  switch (state) {
    case 'planned':
    case 'checked':
      return t`It begins on ${time}.`;
    case 'trading':
      return t`It began on ${time}, and goes on now.`;
    case 'done':
      return t`It was on ${time}.`;
    case 'missed':
      return t`It should have been on ${time}, but our servers did not run. Nothing was traded.`;
  }
}

function Traded({ marketDay }: { marketDay: MarketDay }) {
  const { day, people, coupons, traded, rings, dropped, commitment, certificateHash } = marketDay;
  const facts = [
    { name: t`People who took part`, value: formatNumber(people ?? 0) },
    { name: t`Coupons that could go`, value: formatNumber(coupons ?? 0) },
    { name: t`Coupons that changed hands`, value: formatNumber(traded ?? 0) },
    { name: t`Swaps and rings`, value: rings.length === 0 ? t`None` : ringsText(rings) },
    ...(dropped === 0 ? [] : [{ name: t`Rings that fell through`, value: formatNumber(dropped) }]),
  ];
  return (
    <>
      <Facts layout="lines" facts={facts} maw="42rem" />
      <Stack gap="sm" maw="42rem">
        <Title order={2} size="h4">
          <Trans>Proof</Trans>
        </Title>
        <Text>
          <Trans>
            What could be traded and what was is public, under random numbers of this day. With it goes a
            proof that no other swaps would have fulfilled more wishes. Your browser can check it.
          </Trans>
        </Text>
        <CertificateCheck day={day} commitment={commitment} hash={certificateHash} />
      </Stack>
    </>
  );
}

/** '2 swaps, 1 ring of 3 and 1 ring of 7'. */
function ringsText(sizes: readonly number[]): string {
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return listed(
    [...counts]
      .sort(([one], [other]) => one - other)
      .map(([size, count]) =>
        size === 2
          ? plural(count, { one: '# swap', other: '# swaps' })
          : plural(count, { one: `# ring of ${size}`, other: `# rings of ${size}` }),
      ),
  );
}

function Own({ own }: { own: NonNullable<MarketDay['own']> }) {
  return (
    <Stack gap="sm" maw="42rem">
      <Title order={2} size="h4">
        <Trans>You on this day</Trans>
      </Title>
      <Text>
        {own.exchangeIds.length === 0
          ? t`You took part, and found no swap. You keep everything.`
          : plural(own.exchangeIds.length, {
              one: 'You took part in # swap or ring.',
              other: 'You took part in # swaps and rings.',
            })}
      </Text>
      {own.exchangeIds.map((id) => (
        <div key={id}>
          <Button component={Link} to={paths.exchange(id)} variant="light">
            <Trans>See exchange #{id}</Trans>
          </Button>
        </div>
      ))}
      <Text size="sm" c="dimmed">
        <Trans>Only you see these numbers. In the proof you are {own.person}.</Trans>
      </Text>
      <PlainList gap={4}>
        {own.coupons.map(({ number, title }) => (
          <li key={number} className={classes.number}>
            {title}: {number}
          </li>
        ))}
      </PlainList>
    </Stack>
  );
}
