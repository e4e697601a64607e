import type { Bid } from '#contract/bids.ts';
import type { BidSide } from '#contract/deals.ts';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { BidsBrowser } from '#web/features/bids/bids-browser.tsx';
import { ProtectionPanel } from '#web/features/payments/protection-panel.tsx';
import { protectionWords } from '#web/features/payments/protection-wording.ts';
import { RateDeal } from '#web/features/ratings/rate-deal.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

/** The bids that the viewer placed or received. */
export function Component() {
  const { user } = useViewer();
  const sideOf = ({ bidderId }: Bid): BidSide => (bidderId === user?.id ? 'bidder' : 'owner');
  return (
    <PageShell title={PAGES.myBids.title} text="What you bid, and what others bid on your coupons.">
      {user && (
        <BidsBrowser
          viewerId={user.id}
          describePayment={(bid) =>
            bid.protection && (protectionWords(bid.protection, sideOf(bid))?.title ?? null)
          }
          renderProtection={(bid) =>
            bid.protection && (
              <ProtectionPanel
                bidId={bid.id}
                couponId={bid.couponId}
                protection={bid.protection}
                side={sideOf(bid)}
              />
            )
          }
          renderRating={({ id }) => <RateDeal dealType="bid" dealId={id} />}
        />
      )}
    </PageShell>
  );
}
