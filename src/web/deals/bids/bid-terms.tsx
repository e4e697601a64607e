import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import type { Bid } from '#contract/deals/bids.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote } from '#web/components/deal-notes.tsx';
import { Standing } from '#web/deals/core/standing.tsx';
import { useMember } from '#web/lib/viewer.tsx';
import { SetUpLink } from './bid-actions.tsx';
import { OfferedCover } from './offered-cover.tsx';
import { partnerOf, sideOf, standingAmount } from './sides.ts';

/** What a seller should know before they accept. */
export function SellerWarnings({ bid }: { bid: Bid }) {
  const { coupon, bidderUsername, isSellerReady } = bid;
  return (
    <>
      <OfferedCover couponId={coupon.id} amount={standingAmount(bid)} side="owner" bid={bid} />
      {!coupon.hasCode && (
        <NoCodeNote>
          <Trans>
            {bidderUsername} will not see a code after paying: you have to hand the coupon over. They have
            confirmed that they know this.
          </Trans>
        </NoCodeNote>
      )}
      {!isSellerReady && (
        <Alert color="yellow" role="note" title={t`You cannot be paid yet`}>
          <Trans>
            {bidderUsername} can pay only once you <SetUpLink>set up a payment account</SetUpLink>. You can
            accept now and do that afterwards.
          </Trans>
        </Alert>
      )}
    </>
  );
}

/** What an act on a bid is about: who the other one is, what protects a bidder who accepts, and the coupon. */
export function BidTerms({ bid, isAccepting }: { bid: Bid; isAccepting: boolean }) {
  const side = sideOf(bid, useMember().id);
  return (
    <>
      {isAccepting && <Standing person={partnerOf(bid, side)} />}
      {isAccepting && side === 'bidder' && (
        <OfferedCover couponId={bid.coupon.id} amount={standingAmount(bid)} side="bidder" bid={bid} />
      )}
      <CouponTicket coupon={bid.coupon} size="mini" isLinked={false} />
    </>
  );
}
