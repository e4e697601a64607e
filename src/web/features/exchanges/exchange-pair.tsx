import type { Exchange } from '#contract/exchanges.ts';
import { SwapPair } from '#web/components/swap-pair.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { couponsOf } from './sides.ts';

interface ExchangePairProps {
  readonly exchange: Exchange;
  readonly hasJustSwapped?: boolean;
}

/** The tickets for this viewer: what they give on the left, what they get on the right. */
export function ExchangePair({ exchange, hasJustSwapped }: ExchangePairProps) {
  const { gives, gets } = couponsOf(exchange, useMember().id);
  const [give, get] = LABELS[exchange.status];
  return (
    <SwapPair
      left={{ label: give, coupons: gives }}
      right={{ label: get, coupons: gets }}
      hasJustSwapped={hasJustSwapped}
    />
  );
}

const LABELS = {
  pending: ['You give', 'You get'],
  accepted: ['You give', 'You get'],
  completed: ['You gave', 'You got'],
  rejected: ['Your coupon', 'Their coupon'],
  cancelled: ['Your coupon', 'Their coupon'],
} as const;
