import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconCoin } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { decimalToCents } from '#contract/base/money.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { PriceHint } from '#contract/deals/price-hint.ts';
import { feesOf, rateText } from '#contract/money/fees.ts';
import { DealPanel } from '#web/deals/core/deal-panel.tsx';
import { useDealing } from '#web/deals/core/dealing.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { charged } from './wording.ts';

interface BuyPanelProps {
  readonly coupon: Coupon;
  readonly hint: PriceHint | null;
  readonly answerHours: number | null;
  /** Whether a bid is the first of the ways. */
  readonly isPrimary: boolean;
  /** The viewer's own bid on it, in place of the button. */
  readonly own: ReactNode;
}

/** Buys a coupon at the price that its owner asks, or bids on it. Says what it costs with fees. */
export function BuyPanel({ coupon, hint, answerHours, isPrimary, own }: BuyPanelProps) {
  const dealing = useDealing();
  const { askingPrice, ownerUsername, merchant } = coupon;
  const rates = feeRatesNow();
  const bid = () => dealing.bid(coupon);
  const buy = () => dealing.buy(coupon);
  const price = askingPrice === null ? null : decimalToCents(askingPrice);
  const hintText = hint && (
    <Text size="sm" c="dimmed">
      {hint.low === hint.high
        ? t`Coupons of ${merchant} sold for ${hint.low}% of their value.`
        : t`Coupons of ${merchant} sold for ${hint.low} to ${hint.high}% of their value.`}
    </Text>
  );
  if (price === null) {
    return (
      <DealPanel
        title={t`Bid`}
        answerHours={answerHours}
        done={own}
        button={{ icon: IconCoin, label: t({ context: 'button', message: 'Bid' }), isPrimary, onClick: bid }}
      >
        <Text>
          <Trans>
            You name the price. With the fee ({rateText(rates.buyer)}), a bid of {charged(EXAMPLE)} costs you{' '}
            {charged(feesOf(EXAMPLE, rates).buyerTotal)}.
          </Trans>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>You pay only if {ownerUsername} accepts.</Trans>
        </Text>
        {hintText}
      </DealPanel>
    );
  }
  return (
    <DealPanel
      title={t`Buy for ${charged(price)}`}
      answerHours={null}
      button={{ icon: IconCoin, label: t`Buy now`, isPrimary: true, onClick: buy }}
    >
      <Text>
        <Trans>{charged(feesOf(price, rates).buyerTotal)} with fees.</Trans>{' '}
        {coupon.hasCode && <Trans>You see the code as soon as you have paid.</Trans>}
      </Text>
      {hintText}
      {own ?? (
        <>
          <Text size="sm" c="dimmed">
            <Trans>Or name another price: you pay only if {ownerUsername} accepts.</Trans>
          </Text>
          <ActiveOnly>
            <Button variant="default" onClick={bid}>
              <Trans context="button">Bid</Trans>
            </Button>
          </ActiveOnly>
        </>
      )}
    </DealPanel>
  );
}

/** A round price that shows the fee. */
const EXAMPLE = 1_000;
