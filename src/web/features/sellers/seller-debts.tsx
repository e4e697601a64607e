import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { DebtWay } from '#contract/debts.ts';
import { moneyText } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { formatDate } from '#web/lib/format.ts';
import { trpc } from '#web/lib/trpc.ts';

const WAYS: Record<DebtWay, string> = {
  reversal: 'Stripe takes it from your Stripe balance.',
  payouts: 'We withhold it from your next Stripe payouts.',
  provider: 'PayPal takes it from your PayPal account. It does not affect your payouts here.',
};

/** What the viewer owes as a seller, why, and what it takes from the next payouts; nothing when nothing is owed. */
export function SellerDebts() {
  const { data } = trpc.payments.debts.useQuery();
  if (!data || data.debts.length === 0) return null;
  return (
    <Alert color="yellow" role="region" title={`You owe ${moneyText(data.total)}`} mb="lg">
      <Text>These buyers got money back after we had paid you.</Text>
      <List my="xs">
        {data.debts.map(({ paymentId, bidId, couponTitle, amount, since, way }) => (
          <List.Item key={paymentId}>
            <Anchor component={Link} to={paths.bid(bidId)} inherit underline="always">
              “{couponTitle}”
            </Anchor>
            : {moneyText(amount)} since {formatDate(since)}. {WAYS[way]}
          </List.Item>
        ))}
      </List>
      {data.nextPayouts.length > 0 && (
        <>
          <Text>Your next payouts:</Text>
          <List my="xs">
            {data.nextPayouts.map(({ paymentId, bidId, couponTitle, amount, keptBack }) => (
              <List.Item key={paymentId}>
                <Anchor component={Link} to={paths.bid(bidId)} inherit underline="always">
                  “{couponTitle}”
                </Anchor>
                : {moneyText(keptBack)} of {moneyText(amount)} is withheld
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
