import type { Deal } from '#contract/deals/deal-list.ts';
import { BidRow } from '#web/deals/bids/bid-row.tsx';
import { sideOf } from '#web/deals/bids/sides.ts';
import { ExchangeRow } from '#web/deals/exchanges/exchange-row.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { protectionWords } from '#web/money/claims/protection-wording.ts';

/** Names a deal among those of both types. */
export function dealKey(deal: Deal): string {
  return deal.dealType === 'bid' ? `bid ${deal.bid.id}` : `exchange ${deal.exchange.id}`;
}

/** A deal of either type in a list. */
export function DealLine({ deal }: { deal: Deal }) {
  const viewer = useMember();
  if (deal.dealType === 'exchange') return <ExchangeRow deal={deal} />;
  return (
    <BidRow
      deal={deal}
      describePayment={(bid) =>
        bid.protection && (protectionWords(bid.protection, sideOf(bid, viewer.id))?.title ?? null)
      }
    />
  );
}
