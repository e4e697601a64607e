import { Container } from '@mantine/core';
import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { FILTERS_ADDRESS } from '#contract/coupon-filters.ts';
import type { Coupon } from '#contract/coupons.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { askToLogIn, PlaceBidDialog } from '#web/features/bids/dialogs.ts';
import { AddCouponButton } from '#web/features/coupons/add-coupon-button.tsx';
import { DealActions } from '#web/features/coupons/coupon-actions.tsx';
import { CouponBrowser } from '#web/features/coupons/coupon-browser.tsx';
import { CouponDialog, ValidateDialog } from '#web/features/coupons/dialogs.ts';
import { Hero } from '#web/features/coupons/hero.tsx';
import { RedeemButton } from '#web/features/coupons/redeem-button.tsx';
import { ProposeExchangeDialog } from '#web/features/exchanges/dialogs.ts';
import { MatchNotice } from '#web/features/matches/match-notice.tsx';
import { ReportButton } from '#web/features/moderation/report-button.tsx';
import { SellerBanner } from '#web/features/sellers/seller-banner.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useDialog, useOpener } from '#web/lib/use-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** The marketplace, open to everybody. Actions of visitors lead to the sign-in page and back. */
export function Component() {
  usePageTitle(PAGES.home.title);
  const { user } = useViewer();
  const navigate = useNavigate();
  const [filters, changeFilters] = useAddress(FILTERS_ADDRESS);
  const adding = useOpener('add');
  const asking = useDialog<Coupon>();
  const bidding = useDialog<Coupon>();
  const validating = useDialog<Coupon>();

  const add = () => (user ? adding.open() : navigate(paths.authFrom(paths.addCouponAtHome)));
  const renderActions = useDealActions(asking.open, bidding.open, validating.open);

  return (
    <>
      <SellerBanner />
      <MatchNotice />
      <Hero action={<AddCouponButton onClick={add} size="md" />} />
      <Container size="xl" py={{ base: 20, sm: 32 }}>
        <CouponBrowser
          filters={filters}
          onChange={changeFilters}
          renderActions={renderActions}
          addButton={<AddCouponButton onClick={add} />}
        />
      </Container>
      <CouponDialog opened={user !== null && adding.isOpen} onClose={adding.close} />
      {asking.subject && (
        <ProposeExchangeDialog coupon={asking.subject} opened={asking.opened} onClose={asking.close} />
      )}
      {bidding.subject && (
        <PlaceBidDialog
          key={bidding.subject.id}
          coupon={bidding.subject}
          opened={bidding.opened}
          onClose={bidding.close}
        />
      )}
      {validating.subject && (
        <ValidateDialog
          key={validating.subject.id}
          coupon={validating.subject}
          opened={validating.opened}
          onClose={validating.close}
        />
      )}
    </>
  );
}

type Open = (coupon: Coupon) => void;

/**
 * The actions for a listed coupon; visitors sign in first. The function is the same between renders until the viewer
 * changes, so that tickets are not rendered again.
 */
function useDealActions(ask: Open, bid: Open, validate: Open) {
  const { user } = useViewer();
  const navigate = useNavigate();
  return useCallback(
    (coupon: Coupon) => {
      if (coupon.ownerId === user?.id) return coupon.hasCode && <RedeemButton coupon={coupon} />;
      const { id, ownerId, ownerUsername } = coupon;
      return (
        <DealActions
          coupon={coupon}
          onExchange={user ? ask : () => navigate(paths.authFrom(paths.exchangeFor(id)))}
          onBid={user ? bid : () => askToLogIn(navigate, paths.bidFor(id))}
          onValidate={user ? validate : () => navigate(paths.authFrom(paths.validateFor(id)))}
          report={
            <ReportButton
              userId={ownerId}
              username={ownerUsername}
              relatedEntityType="coupon"
              relatedEntityId={id}
              isIcon
            />
          }
        />
      );
    },
    [user, navigate, ask, bid, validate],
  );
}
