import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { defineAddress, keyed, oneOf, openedId } from '#contract/base/address.ts';
import { centsToDecimal } from '#contract/base/money.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { PlacedBids, ReceivedBids } from '#web/deals/bids/bid-cards.tsx';
import { BidDetail } from '#web/deals/bids/bid-detail.tsx';
import classes from '#web/deals/bids/bids.module.css';
import { useBid } from '#web/deals/bids/queries.ts';
import { sideOf } from '#web/deals/bids/sides.ts';
import { amountsOf } from '#web/deals/bids/wording.ts';
import { DealBrowser } from '#web/deals/core/deal-browser.tsx';
import { useAddress, usePage } from '#web/lib/address.ts';
import { isOffline } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { ProtectionPanel } from '#web/money/claims/protection-panel.tsx';

/** Bids on one page of a list. */
const PAGE_SIZE = 20;

/** Whose bids are shown: the viewer's own, or those on the viewer's coupons. */
type BidsTab = 'placed' | 'received';

/** The list's tab and filter, and the open bid. The page number is kept apart. */
const ADDRESS = defineAddress({
  tab: oneOf<BidsTab>(['placed', 'received']),
  show: oneOf(['all', 'open']),
  openId: keyed('bid', openedId),
});

/** The bids that the viewer placed or received, and the details of one. The address holds the tab, the filter and the open bid. */
export function Component() {
  const [page, setPage] = usePage();
  const [{ tab, show, openId }, go] = useAddress(ADDRESS);
  const onlyOpen = show === 'open';
  const query = trpc.bids.list.useQuery(
    { role: tab === 'placed' ? 'bidder' : 'owner', onlyOpen, page, limit: PAGE_SIZE },
    // Always refetched (spec/2 section 9).
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const open = useBid(openId, query.data?.items);
  const hasFailed = query.error !== null && !query.data && !isOffline(query.error);
  useEffect(() => {
    if (hasFailed) toasts.failure(TEXTS.bids.loadFailedTitle(), TEXTS.bids.loadFailedToast());
  }, [hasFailed]);
  const Cards = tab === 'placed' ? PlacedBids : ReceivedBids;
  return (
    <PageShell title={PAGES.myBids.title()} text={t`Your bids, and the bids on your coupons.`}>
      <DealBrowser
        noun="bid"
        tabs={[
          ['placed', t`My Bids`],
          ['received', t`Received Bids`],
        ]}
        tab={tab}
        onTab={(next) => go({ tab: next })}
        filter={
          <SegmentedControl
            className={classes.filter}
            aria-label={t`Which states`}
            value={show}
            onChange={(value) => go({ show: value }, { replace: true })}
            data={[
              { value: 'all', label: t`All` },
              { value: 'open', label: t`Open` },
            ]}
          />
        }
        heading={tab === 'placed' ? t`Bids you placed` : t`Bids on your coupons`}
        query={query}
        page={page}
        pageSize={PAGE_SIZE}
        onChange={setPage}
        errorTitle={TEXTS.bids.loadFailed()}
        errorText={
          <>
            <Text span display="block">
              {TEXTS.bids.fetchFailed()}
            </Text>
            <Text span display="block">
              {TEXTS.bids.loadFailedHint()}
            </Text>
          </>
        }
        skeleton={<BidsSkeleton />}
        empty={<NoBids tab={tab} onlyOpen={onlyOpen} onShowAll={() => go({ show: 'all' })} />}
        openId={openId}
        detail={open}
        detailWidth={640}
        renderDetail={(bid) => (
          <BidDetail bid={bid}>
            <PaidBid bid={bid} />
          </BidDetail>
        )}
        onClose={() => go({ openId: null }, { replace: true })}
      >
        {(bids) => <Cards bids={bids} onOpen={({ id }) => go({ openId: id })} />}
      </DealBrowser>
    </PageShell>
  );
}

/** What follows the payment of a bid. */
function PaidBid({ bid }: { bid: Bid }) {
  const side = sideOf(bid, useMember().id);
  const netAmount = centsToDecimal(amountsOf(bid).netAmount);
  const { id: bidId, couponId, protection } = bid;
  return protection && <ProtectionPanel {...{ bidId, couponId, protection, side, netAmount }} />;
}

/** The list while it loads, in its final shape. */
function BidsSkeleton() {
  return (
    <Stack gap={16}>
      <Repeat count={3}>
        <Surface className={classes.card}>
          <div>
            <CouponTicketSkeleton size="small" />
          </div>
          <div className={classes.offer}>
            <Group justify="space-between" gap="8px 12px">
              <Skeleton height={28} width={120} />
              <Skeleton height={22} width={80} radius="xl" />
            </Group>
            <Skeleton height={18} width="70%" />
            <Skeleton height={18} width="35%" />
            <Skeleton height={36} width={190} radius="xl" mt={4} />
          </div>
        </Surface>
      </Repeat>
    </Stack>
  );
}

interface NoBidsProps {
  readonly tab: BidsTab;
  readonly onlyOpen: boolean;
  readonly onShowAll: () => void;
}

function NoBids({ tab, onlyOpen, onShowAll }: NoBidsProps) {
  if (onlyOpen) {
    return (
      <EmptyState
        title={t`No open bids`}
        text={t`No bid needs an answer or a payment right now.`}
        drawing={<SearchDrawing />}
        action={
          <Button onClick={onShowAll}>
            <Trans>Show all bids</Trans>
          </Button>
        }
      />
    );
  }
  return tab === 'placed' ? (
    <EmptyState
      title={t`You have not bid on anything yet`}
      text={t`Find a coupon you would use and say what it is worth to you.`}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  ) : (
    <EmptyState
      title={t`No one has bid on your coupons yet`}
      text={t`The more coupons you list, the more bids you can get.`}
      action={
        <Button component={Link} to={paths.addCoupon}>
          <Trans>Add a Coupon</Trans>
        </Button>
      }
    />
  );
}
