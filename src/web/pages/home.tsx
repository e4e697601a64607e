import { Container } from '@mantine/core';
import { PAGES, paths } from '#contract/base/pages.ts';
import { FILTERS_ADDRESS } from '#contract/coupons/coupon-filters.ts';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { AddCouponButton } from '#web/coupons/publishing/add-coupon-button.tsx';
import { CategoryTiles } from '#web/coupons/search/category-tiles.tsx';
import { CouponBrowser } from '#web/coupons/search/coupon-browser.tsx';
import { Hero } from '#web/coupons/search/hero.tsx';
import { HomeRecentlyViewed } from '#web/coupons/search/home-recently-viewed.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { HomeFirstSteps } from '#web/oversight/profiles/home-first-steps.tsx';
import { SellerBanner } from '#web/people/sellers/seller-banner.tsx';
import { useDealActions } from './deal-actions.tsx';
import { HomeTop } from './home-top.tsx';

const HomeInvitation = lazyWithPreload(
  async () => (await import('#web/deals/matches/home-invitation.tsx')).HomeInvitation,
);
const InstallOffer = lazyWithPreload(
  async () => (await import('#web/oversight/profiles/install-offer.tsx')).InstallOffer,
);

/** The marketplace, open to everybody; after their first deal, members find first what waits for them. Actions of visitors lead to the sign-in page and back. */
export function Component() {
  usePageTitle(PAGES.home.title());
  const { user, isLoading } = useViewer();
  const asMember = useAsMember();
  const [filters, changeFilters] = useAddress(FILTERS_ADDRESS);
  const openCoupon = () => openDialog('coupon');
  useDialogLink('add', !isLoading && (() => user && openCoupon()));
  const add = () => asMember(openCoupon, paths.addCouponAtHome);
  const renderActions = useDealActions();
  const addButton = <AddCouponButton onClick={add} size="md" />;
  const hero = <Hero action={addButton} invitation={<HomeInvitation />} />;

  return (
    <>
      <SellerBanner />
      {user ? <HomeTop hero={hero} action={<AddCouponButton variant="default" onClick={add} />} /> : hero}
      <HomeFirstSteps />
      {user && <InstallOffer user={user} />}
      <HomeRecentlyViewed />
      <Container size="xl" py={{ base: 8, sm: 32 }}>
        <CouponBrowser
          filters={filters}
          onChange={changeFilters}
          renderActions={renderActions}
          addButton={addButton}
        />
      </Container>
      <CategoryTiles current={filters.category} />
    </>
  );
}
