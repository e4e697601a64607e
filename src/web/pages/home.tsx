import { Container } from '@mantine/core';
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
  const exchange = (coupon: Coupon) =>
    user ? asking.open(coupon) : navigate(paths.authFrom(paths.exchangeFor(coupon.id)));

  const bid = (coupon: Coupon) => {
    if (user) bidding.open(coupon);
    else askToLogIn(navigate, paths.bidFor(coupon.id));
  };

  const validate = (coupon: Coupon) =>
    user ? validating.open(coupon) : navigate(paths.authFrom(paths.validateFor(coupon.id)));

  const renderActions = (coupon: Coupon) => {
    if (coupon.ownerId !== user?.id) {
      return (
        <DealActions
          coupon={coupon}
          onExchange={exchange}
          onBid={bid}
          onValidate={validate}
          report={
            <ReportButton
              userId={coupon.ownerId}
              username={coupon.ownerUsername}
              relatedEntityType="coupon"
              relatedEntityId={coupon.id}
              isIcon
            />
          }
        />
      );
    }
    return coupon.hasCode && <RedeemButton coupon={coupon} />;
  };

  return (
    <>
      <SellerBanner />
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
