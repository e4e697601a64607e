import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { baseCurrency, decimalToCents, formatMoney, moneyText } from '#contract/base/money.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { feesOf, rateText } from '#contract/money/fees.ts';
import type { Checkout } from '#contract/money/payments.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { moneyBack } from '#web/deals/core/cover-words.ts';
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
        <Trans>Order summary</Trans>
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
                ? t`Price, to ${bid.ownerUsername}`
                : t`In your exchange, to ${bid.ownerUsername}`,
            value: moneyText(checkout.amount),
          },
          { name: t`Buyer fee (${rateText(bid.feeRates.buyer)})`, value: moneyText(checkout.buyerFee) },
          { name: t`Total to pay`, value: moneyText(checkout.buyerTotal), isTotal: true },
        ]}
      />
      {currency !== baseCurrency() && (
        <Text size="sm" c="dimmed" ta="end" className="tabular">
          <Trans>
            About {formatMoney(decimalToCents(checkout.buyerTotal), currency)}. You are charged in{' '}
            {ph({ currency: baseCurrency() })}.
          </Trans>
        </Text>
      )}
    </Surface>
  );
}

/** Explains the buyer protection step by step. */
export function PaymentSteps({ bid, checkout }: OrderSummaryProps) {
  const { buyerTotal, cover } = checkout;
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
        <IconShieldCheck size={22} aria-hidden="true" /> <Trans>{HOLD_HOURS}-hour buyer protection</Trans>
      </Title>
      <PlainList component="ol" gap={14} className={classes.steps}>
        <li>
          <b>
            <Trans>You pay {moneyText(buyerTotal)}.</Trans>
          </b>{' '}
          {isSale
            ? t`The coupon and its code are yours as soon as the payment is confirmed.`
            : t`All coupons of the exchange change owners as soon as everyone has paid. If it ends before, you get everything back.`}
        </li>
        <li>
          <b>
            {isSale
              ? t`We hold the money for ${HOLD_HOURS} hours.`
              : t`We hold the money until ${HOLD_HOURS} hours after that.`}
          </b>{' '}
          <Trans>
            If the code does not work, tell us in that time: a moderator can refund everything, including the
            fee.
          </Trans>{' '}
          {!isSale && <Trans>The coupons do not change back.</Trans>}
        </li>
        <li>
          {isSale ? (
            <Trans>
              <b>
                Then {bid.ownerUsername} receives {formatMoney(netAmount, baseCurrency())}
              </b>{' '}
              and the sale is final. That happens sooner if you confirm that the code works.
            </Trans>
          ) : (
            <Trans>
              <b>
                Then {bid.ownerUsername} receives {formatMoney(netAmount, baseCurrency())}
              </b>{' '}
              unless you have made a claim about the code.
            </Trans>
          )}
        </li>
        {cover && (
          <li>
            <b>{moneyBack(true)}</b>
          </li>
        )}
        {!isSale && (
          <li>
            <Trans>There is no guarantee after that: it covers sales only.</Trans>
          </li>
        )}
      </PlainList>
      {bid.deadlineAt && (
        <Text size="sm" c="dimmed">
          {isSale
            ? t`Please pay by ${formatDateTime(bid.deadlineAt)}. After that the bid is cancelled.`
            : t`Please pay by ${formatDateTime(bid.deadlineAt)}. After that the exchange is cancelled.`}
        </Text>
      )}
    </Surface>
  );
}
