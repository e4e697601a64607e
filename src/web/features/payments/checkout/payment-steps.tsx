import { Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { Bid } from '#contract/bids.ts';
import { feesOf } from '#contract/fees.ts';
import { BASE_CURRENCY, decimalToCents, formatMoney } from '#contract/money.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './checkout.module.css';
import { charged } from './order-summary.tsx';

/** Who gets what and when, and when it is final. */
export function PaymentSteps({ bid, buyerTotal }: { bid: Bid; buyerTotal: string }) {
  const { netAmount } = feesOf(decimalToCents(bid.amount));
  return (
    <section className={classes.card} aria-labelledby="protection-title">
      <Title order={2} size="h4" id="protection-title" className={classes.withIcon}>
        <IconShieldCheck size={22} aria-hidden="true" /> {HOLD_HOURS}-hour buyer protection
      </Title>
      <ol className={classes.steps}>
        <li>
          <b>You pay {charged(buyerTotal)}.</b> The coupon and its code are yours as soon as the payment is
          confirmed.
        </li>
        <li>
          <b>We hold the money for {HOLD_HOURS} hours.</b> If the code does not work, say so in that time: a
          moderator can refund everything, the fee included.
        </li>
        <li>
          <b>
            Then {bid.ownerUsername} receives {formatMoney(netAmount, BASE_CURRENCY)}
          </b>{' '}
          and the sale is final. It is sooner if you confirm that the code works.
        </li>
      </ol>
      {bid.deadlineAt && (
        <Text size="sm" c="dimmed">
          Please pay by {formatDateTime(bid.deadlineAt)}. After that the bid is cancelled.
        </Text>
      )}
    </section>
  );
}
