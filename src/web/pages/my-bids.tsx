import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import { PAGES } from '#contract/base/pages.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { BidsBrowser } from '#web/deals/bids/bids-browser.tsx';
import { sideOf } from '#web/deals/bids/sides.ts';
import { amountsOf } from '#web/deals/bids/wording.ts';
import { RateDeal } from '#web/deals/ratings/rate-deal.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { ProtectionPanel } from '#web/money/claims/protection-panel.tsx';
import { protectionWords } from '#web/money/claims/protection-wording.ts';

function saleOf(bid: Bid) {
  const { buyerTotal, netAmount } = amountsOf(bid);
  return { buyerTotal: centsToDecimal(buyerTotal), netAmount: centsToDecimal(netAmount) };
}

/** The bids that the viewer placed or received. */
export function Component() {
  const viewer = useMember();
  return (
    <PageShell title={PAGES.myBids.title()} text={t`Your bids, and the bids on your coupons.`}>
      <BidsBrowser
        describePayment={(bid) =>
          bid.protection && (protectionWords(bid.protection, sideOf(bid, viewer.id))?.title ?? null)
        }
        renderProtection={(bid) =>
          bid.protection && (
            <ProtectionPanel
              bidId={bid.id}
              couponId={bid.couponId}
              protection={bid.protection}
              side={sideOf(bid, viewer.id)}
              sale={saleOf(bid)}
            />
          )
        }
        renderRating={({ id }) => <RateDeal dealType="bid" dealId={id} />}
      />
    </PageShell>
  );
}
