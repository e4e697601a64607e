import type { Exchange } from '#contract/deals/exchanges.ts';
import { NewCodeBadge } from '#web/coupons/codes/new-code.tsx';
import { TicketPair } from '#web/deals/core/ticket-pair.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { couponsOf } from './sides.ts';
import { pairLabels } from './wording.ts';

interface ExchangePairProps {
  readonly exchange: Exchange;
  /** Plays the swap animation once. */
  readonly hasJustSwapped?: boolean;
}

/** The tickets of an exchange for this viewer. */
export function ExchangePair({ exchange, hasJustSwapped }: ExchangePairProps) {
  const { gives, gets } = couponsOf(exchange, useMember().id);
  const [give, get] = pairLabels(exchange.status);
  return (
    <TicketPair
      size="small"
      sides={[
        { label: give, coupons: gives },
        { label: get, coupons: gets },
      ]}
      renderBadges={(coupon) => <NewCodeBadge coupon={coupon} />}
      hasJustSwapped={hasJustSwapped}
    />
  );
}
