import { Tabs, Title } from '@mantine/core';
import { IconBrandPaypal, IconCreditCard } from '@tabler/icons-react';
import { useState } from 'react';
import type { PaymentClient } from '#contract/payments.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import classes from './checkout.module.css';
import { PayByCard } from './pay-by-card.tsx';
import { PayByPaypal } from './pay-by-paypal.tsx';
import type { WayToPay } from './ways.ts';

interface PaymentPanelProps extends Pick<WayToPay, 'checkout' | 'onPaid' | 'onProblem'> {
  readonly client: PaymentClient;
  /** Those that both the seller and this installation have: at least one. */
  readonly providers: readonly PaymentProviderName[];
}

/** The ways to pay: by card, by PayPal, or a choice of the two. */
export function PaymentPanel({ client, providers, ...given }: PaymentPanelProps) {
  const [isBusy, onBusy] = useState(false);
  const way = { ...given, isBusy, onBusy };
  const byCard = client.stripe && providers.includes('stripe') && (
    <PayByCard settings={client.stripe} {...way} />
  );
  const byPaypal = client.paypal && providers.includes('paypal') && (
    <PayByPaypal settings={client.paypal} {...way} />
  );
  return (
    <section className={`${classes.card} ${classes.payment}`} aria-labelledby="payment-title">
      <Title order={2} size="h4" id="payment-title">
        Payment
      </Title>
      {byCard && byPaypal ? (
        <Tabs
          defaultValue="stripe"
          keepMounted={false}
          classNames={{ tab: classes.tab, tabLabel: classes.tabLabel }}
        >
          <Tabs.List grow mb="md" aria-label="Ways to pay">
            <Tabs.Tab
              value="stripe"
              disabled={isBusy}
              leftSection={<IconCreditCard size={20} aria-hidden="true" />}
            >
              Card
            </Tabs.Tab>
            <Tabs.Tab
              value="paypal"
              disabled={isBusy}
              leftSection={<IconBrandPaypal size={20} aria-hidden="true" />}
            >
              PayPal
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="stripe">{byCard}</Tabs.Panel>
          <Tabs.Panel value="paypal">{byPaypal}</Tabs.Panel>
        </Tabs>
      ) : (
        byCard || byPaypal
      )}
    </section>
  );
}
