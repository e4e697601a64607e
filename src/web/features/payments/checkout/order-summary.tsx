import { Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import type { Bid } from '#contract/bids.ts';
import { feesOf, rateText } from '#contract/fees.ts';
import { BASE_CURRENCY, decimalToCents, formatMoney, moneyText } from '#contract/money.ts';
import type { Checkout } from '#contract/payments.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './checkout.module.css';

interface OrderSummaryProps {
  readonly bid: Bid;
  readonly checkout: Checkout;
}

/** The coupon with its price, fee and total. */
export function OrderSummary({ bid, checkout }: OrderSummaryProps) {
  const currency = useCurrency();
  return (
    <Surface component="section" gap={16} className={classes.card} aria-labelledby="order-title">
      <Title order={2} size="h4" id="order-title">
        Order summary
      </Title>
      <CouponTicket
        coupon={{ ...bid.coupon, ownerUsername: bid.ownerUsername }}
        size="small"
        isLinked={false}
      />
      <Facts
        layout="amounts"
        className={classes.amounts}
        facts={[
          {
            name:
              bid.exchangeId === null
                ? `Your bid, to ${bid.ownerUsername}`
                : `In your exchange, to ${bid.ownerUsername}`,
            value: moneyText(checkout.amount),
          },
          { name: `Buyer fee (${rateText(bid.feeRates.buyer)})`, value: moneyText(checkout.buyerFee) },
          { name: 'Total to pay', value: moneyText(checkout.buyerTotal), isTotal: true },
        ]}
      />
      {currency !== BASE_CURRENCY && (
        <Text size="sm" c="dimmed" ta="end" className="tabular">
          About {formatMoney(decimalToCents(checkout.buyerTotal), currency)}. You are charged in{' '}
          {BASE_CURRENCY}.
        </Text>
      )}
    </Surface>
  );
}

/** Explains the buyer protection step by step. */
export function PaymentSteps({ bid, buyerTotal }: { bid: Bid; buyerTotal: string }) {
  const { netAmount } = feesOf(decimalToCents(bid.amount), bid.feeRates);
  const isSale = bid.exchangeId === null;
  return (
    <Surface component="section" gap={16} className={classes.card} aria-labelledby="protection-title">
      <Title
        order={2}
        size="h4"
        id="protection-title"
        display="flex"
        style={{ alignItems: 'center', gap: 8 }}
      >
        <IconShieldCheck size={22} aria-hidden="true" /> {HOLD_HOURS}-hour buyer protection
      </Title>
      <PlainList component="ol" gap={14} className={classes.steps}>
        <li>
          <b>You pay {moneyText(buyerTotal)}.</b>{' '}
          {isSale
            ? 'The coupon and its code are yours as soon as the payment is confirmed.'
            : 'All coupons of the exchange change owners as soon as everyone has paid. If it ends before, you get everything back.'}
        </li>
        <li>
          <b>
            {isSale
              ? `We hold the money for ${HOLD_HOURS} hours.`
              : `We hold the money until ${HOLD_HOURS} hours after that.`}
          </b>{' '}
          If the code does not work, tell us in that time: a moderator can refund everything, including the
          fee.{isSale ? '' : ' The coupons do not change back.'}
        </li>
        <li>
          <b>
            Then {bid.ownerUsername} receives {formatMoney(netAmount, BASE_CURRENCY)}
          </b>{' '}
          {isSale
            ? 'and the sale is final. That happens sooner if you confirm that the code works.'
            : 'unless you have made a claim about the code.'}
        </li>
      </PlainList>
      {bid.deadlineAt && (
        <Text size="sm" c="dimmed">
          Please pay by {formatDateTime(bid.deadlineAt)}. After that the {isSale ? 'bid' : 'exchange'} is
          cancelled.
        </Text>
      )}
    </Surface>
  );
}
