import type { Deal } from '#contract/deals/deal-list.ts';
import { BidRow } from '#web/deals/bids/bid-row.tsx';
import { ExchangeRow } from '#web/deals/exchanges/exchange-row.tsx';

/** Names a deal among those of both types. */
export function dealKey(deal: Deal): string {
  return deal.dealType === 'bid' ? `bid ${deal.bid.id}` : `exchange ${deal.exchange.id}`;
}

/** A deal of either type in a list. */
export function DealLine({ deal }: { deal: Deal }) {
  return deal.dealType === 'exchange' ? <ExchangeRow deal={deal} /> : <BidRow deal={deal} />;
}
