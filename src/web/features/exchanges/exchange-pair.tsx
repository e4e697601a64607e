import type { Exchange } from '#contract/exchanges.ts';
import { TicketPair } from '#web/components/ticket-pair.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { couponsOf } from './sides.ts';

const LABELS = {
  pending: ['You give', 'You get'],
  accepted: ['You give', 'You get'],
  completed: ['You gave', 'You got'],
  rejected: ['Your coupon', 'Their coupon'],
  cancelled: ['Your coupon', 'Their coupon'],
} as const;

interface ExchangePairProps {
  readonly exchange: Exchange;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

/** The tickets of an exchange for this viewer. */
export function ExchangePair({ exchange, hasJustSwapped }: ExchangePairProps) {
  const { gives, gets } = couponsOf(exchange, useMember().id);
  const [give, get] = LABELS[exchange.status];
  return (
    <TicketPair
      size="small"
      sides={[
        { label: give, coupons: gives },
        { label: get, coupons: gets },
      ]}
      hasJustSwapped={hasJustSwapped}
    />
  );
}
