import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Title } from '@mantine/core';
import { moneyText } from '#contract/base/money.ts';
import { Facts } from '#web/components/facts.tsx';
import { Surface } from '#web/components/surface.tsx';
import { Panel } from './panel.tsx';
import { useStats } from './queries.ts';

/** What the reserve of the guarantee holds, and what has gone in and out. */
export function Reserve() {
  const read = useStats();
  return (
    <Surface component="section" mb={24} aria-labelledby="reserve-title">
      <Title order={2} size="h4" id="reserve-title">
        <Trans>Reserve of the guarantee</Trans>
      </Title>
      <Panel read={read} failure={t`Failed to load the reserve`} skeleton={<Skeleton height={112} />}>
        {({ reserve }) => (
          <Facts
            layout="amounts"
            facts={[
              { name: t`From fees`, value: moneyText(reserve.paidIn) },
              { name: t`Paid for claims`, value: moneyText(reserve.laidOut) },
              { name: t`Paid back by sellers`, value: moneyText(reserve.cameBack) },
              { name: t`In the reserve now`, value: moneyText(reserve.balance), isTotal: true },
            ]}
          />
        )}
      </Panel>
    </Surface>
  );
}
