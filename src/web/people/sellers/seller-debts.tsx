import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import type { DebtWay } from '#contract/money/debts.ts';
import { formatDate } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';

const WAYS: Record<DebtWay, string> = {
  reversal: t`Stripe takes it from your Stripe balance.`,
  payouts: t`We withhold it from your next Stripe payouts.`,
  provider: t`PayPal takes it from your PayPal account. It does not affect your payouts here.`,
};

/** What the viewer owes as a seller, why, and what it takes from the next payouts; nothing when nothing is owed. */
export function SellerDebts() {
  const { data } = trpc.payments.debts.useQuery();
  if (!data || data.debts.length === 0) return null;
  return (
    <Alert color="yellow" role="region" title={t`You owe ${moneyText(data.total)}`} mb="lg">
      <Text>
        <Trans>These buyers got money back after we had paid you.</Trans>
      </Text>
      <List my="xs">
        {data.debts.map(({ paymentId, bidId, couponTitle, amount, since, way }) => (
          <List.Item key={paymentId}>
            <Trans>
              <Anchor component={Link} to={paths.bid(bidId)} inherit underline="always">
                “{couponTitle}”
              </Anchor>
              : {moneyText(amount)} since {formatDate(since)}. {WAYS[way]}
            </Trans>
          </List.Item>
        ))}
      </List>
      {data.nextPayouts.length > 0 && (
        <>
          <Text>
            <Trans>Your next payouts:</Trans>
          </Text>
          <List my="xs">
            {data.nextPayouts.map(({ paymentId, bidId, couponTitle, amount, keptBack }) => (
              <List.Item key={paymentId}>
                <Trans>
                  <Anchor component={Link} to={paths.bid(bidId)} inherit underline="always">
                    “{couponTitle}”
                  </Anchor>
                  : {moneyText(keptBack)} of {moneyText(amount)} is withheld
                </Trans>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
