import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Container, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconShieldCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { idSchema } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { ActionMenu } from '#web/components/action-menu.tsx';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { NotFound } from '#web/components/not-found.tsx';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { NewCodeBadge, NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { CouponDetails, CouponFacts } from '#web/coupons/core/coupon-details.tsx';
import { useCoupon } from '#web/coupons/core/queries.ts';
import { shareAction } from '#web/coupons/core/share-action.ts';
import { dealObstacle } from '#web/coupons/core/wording.ts';
import { OwnerActions } from '#web/coupons/publishing/owner-actions.tsx';
import { RelatedCoupons } from '#web/coupons/search/related-coupons.tsx';
import { SavedToggle } from '#web/coupons/search/saved-toggle.tsx';
import { rememberViewed } from '#web/coupons/search/viewed.ts';
import { BuyPanel } from '#web/deals/bids/buy-panel.tsx';
import { OwnPrices } from '#web/deals/bids/own-prices.tsx';
import { DealPanels } from '#web/deals/core/deal-panel.tsx';
import { useDealing } from '#web/deals/core/dealing.ts';
import { SwapPanel } from '#web/deals/exchanges/swap-panel.tsx';
import { CouponConsent } from '#web/deals/market-days/coupon-consent.tsx';
import { CouponMatches } from '#web/deals/matches/coupon-matches.tsx';
import { useCouponMatches } from '#web/deals/matches/queries.ts';
import { RatingSummary } from '#web/deals/ratings/stars.tsx';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { hasCode } from '#web/lib/errors.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { ProtectionNote } from '#web/money/claims/protection-note.tsx';
import { useRemovePicture } from '#web/oversight/moderation/remove-picture.tsx';
import { useReport } from '#web/oversight/moderation/report-button.tsx';
import { SellerStrip } from '#web/oversight/profiles/seller-strip.tsx';
import { CouponExposure } from '#web/oversight/proofs/exposure.tsx';
import classes from './coupon.module.css';
import { OwnBid, OwnExchange } from './own-deals.tsx';

/** One coupon, and what this viewer can do with it. */
export function Component() {
  const params = useParams();
  const id = idSchema.safeParse(Number(params.id)).data ?? null;
  const query = useCoupon(id);
  const { user, isLoading: isViewerLoading } = useViewer();
  const feedback = trpc.coupons.feedback.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const health = trpc.health.ofCoupon.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const priceHint = trpc.bids.priceHint.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const owner = trpc.profiles.ofCouponOwner.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const exposure = trpc.proofs.exposure.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const matches = useCouponMatches(user ? id : null);
  const own = trpc.deals.forCoupon.useQuery({ id: id ?? 0 }, { enabled: user !== null && id !== null });
  const isMoreAwaited = [feedback, health, priceHint, owner, exposure, matches, own].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  );
  const { data: coupon, error, isFetching } = query;
  usePageTitle(coupon?.title ?? PAGES.coupon.title());

  if (id === null || (hasCode(error, 'not_found') && !isFetching)) return <CouponNotFound />;
  return (
    <Container size="lg" py={{ base: 20, sm: 32 }}>
      <QueryContent
        // Buttons depend on the viewer; feedback, hint and matches stand between other words: nothing may move on screen.
        query={isViewerLoading || isMoreAwaited ? { ...query, data: undefined } : query}
        errorTitle={TEXTS.coupons.loadFailed()}
        errorOrder={1}
        skeleton={<CouponTicketSkeleton size="full" />}
      >
        {(found) => <CouponFound key={id} coupon={found} />}
      </QueryContent>
    </Container>
  );
}

function CouponFound({ coupon }: { coupon: Coupon }) {
  const { user } = useViewer();
  const navigate = useNavigate();
  const isOwner = coupon.ownerId === user?.id;
  useEffect(() => {
    if (!isOwner) rememberViewed(user?.id, coupon.id);
  }, [isOwner, user?.id, coupon.id]);
  const dealing = useDealing();
  const ifFree = (open: (coupon: Coupon) => unknown) => () =>
    user && !isOwner && dealObstacle(coupon) === null && open(coupon);
  useDialogLink('exchange', ifFree(dealing.exchange));
  useDialogLink('bid', ifFree(dealing.bid));
  useDialogLink(
    'buy',
    ifFree(() => coupon.askingPrice !== null && dealing.buy(coupon)),
  );
  return (
    <>
      <Anchor component={Link} to={paths.home} c="inherit" fw={600} lh="44px" mb="xs" display="inline-block">
        <IconArrowLeft size={18} aria-hidden="true" style={{ verticalAlign: '-3px' }} />{' '}
        <Trans>All coupons</Trans>
      </Anchor>
      <Stack gap="xl">
        <CouponTicket
          coupon={coupon}
          size="full"
          titleOrder={1}
          isLinked={false}
          badges={<NewCodeBadge coupon={coupon} />}
          actions={
            <>
              {isOwner && (
                <OwnerActions
                  coupon={coupon}
                  onDeleted={() => navigate(paths.myCoupons, { replace: true })}
                  isPrimary
                />
              )}
              <span data-side>
                {!isOwner && <SavedToggle coupon={coupon} />}
                <CouponMenu coupon={coupon} isOwner={isOwner} />
              </span>
            </>
          }
        >
          <CouponFacts coupon={coupon} />
        </CouponTicket>
        {isOwner ? (
          <>
            <OwnPrices coupon={coupon} />
            <CouponConsent coupon={coupon} />
            <CouponDetails coupon={coupon} />
            <CouponExposure coupon={coupon} />
          </>
        ) : (
          <div className={classes.columns}>
            <WaysToGet coupon={coupon} />
            <div className={classes.side}>
              <Seller coupon={coupon} />
              {coupon.isReissuable && <NewCodeNote merchant={coupon.merchant} />}
              <ProtectionNote isForSwaps={coupon.isOpenToOffers} />
            </div>
            <Stack gap="xl">
              {user && <CouponMatches coupon={coupon} />}
              <CouponDetails coupon={coupon} />
              <CouponExposure coupon={coupon} />
            </Stack>
          </div>
        )}
        <RelatedCoupons coupon={coupon} />
      </Stack>
    </>
  );
}

interface CouponMenuProps {
  readonly coupon: Coupon;
  readonly isOwner: boolean;
}

/** The rarer actions on a coupon; others than its owner validate the code and report the owner there. */
function CouponMenu({ coupon, isOwner }: CouponMenuProps) {
  const { user } = useViewer();
  const asMember = useAsMember();
  const { id, ownerId, ownerUsername, imageUrl } = coupon;
  const canValidate = coupon.hasCode && !isOwner;
  const validate = () => openDialog('validate', { coupon });
  useDialogLink('validate', () => user && canValidate && validate());
  const actions = [
    shareAction(coupon),
    canValidate && {
      icon: IconShieldCheck,
      label: t`Validate`,
      name: t`Validate`,
      onClick: () => asMember(validate, paths.validateFor(id)),
    },
    useReport({
      userId: ownerId,
      username: ownerUsername,
      relatedEntityType: 'coupon',
      relatedEntityId: id,
      pictureUrl: imageUrl,
    }),
    useRemovePicture({ url: imageUrl, username: ownerUsername }),
  ];
  return (
    <ActionMenu
      name={t`More actions`}
      actions={actions.filter((action) => action !== null && action !== false)}
    />
  );
}

/** The ways to get a coupon, or why there is none now. */
function WaysToGet({ coupon }: { coupon: Coupon }) {
  const dealing = useDealing();
  const { data: hint = null } = trpc.bids.priceHint.useQuery({ id: coupon.id });
  const { data: owner } = trpc.profiles.ofCouponOwner.useQuery({ id: coupon.id });
  const { user } = useViewer();
  const { data: own } = trpc.deals.forCoupon.useQuery({ id: coupon.id }, { enabled: user !== null });
  const ownBid = own?.bid ? <OwnBid bid={own.bid} /> : null;
  const ownExchange =
    user && own?.exchange ? <OwnExchange exchange={own.exchange} viewerId={user.id} /> : null;
  if (own?.bid?.status === 'accepted') return ownBid;
  if (own?.exchange?.status === 'accepted') return ownExchange;
  const answerHours = owner?.answersWithinHours ?? null;
  const obstacle = dealObstacle(coupon);
  if (obstacle !== null) return <Text fw={600}>{obstacle}</Text>;
  const { isOpenToOffers, askingPrice } = coupon;
  const isForSale = askingPrice !== null;
  const buy = (
    <BuyPanel
      coupon={coupon}
      hint={hint}
      answerHours={answerHours}
      isPrimary={!isOpenToOffers}
      own={ownBid}
    />
  );
  return (
    <DealPanels>
      {isForSale && buy}
      {isOpenToOffers && (
        <SwapPanel
          ownerUsername={coupon.ownerUsername}
          answerHours={answerHours}
          isPrimary={!isForSale}
          own={ownExchange}
          onSwap={() => dealing.exchange(coupon)}
        />
      )}
      {!isForSale && buy}
    </DealPanels>
  );
}

function Seller({ coupon }: { coupon: Coupon }) {
  const { data: profile } = trpc.profiles.ofCouponOwner.useQuery({ id: coupon.id });
  // It could not be loaded: the rest of the page stands without it.
  if (!profile) return null;
  const { averageRating, ratingCount } = profile;
  return (
    <SellerStrip profile={profile} rating={<RatingSummary average={averageRating} count={ratingCount} />} />
  );
}

function CouponNotFound() {
  return (
    <NotFound
      title={t`Coupon not found`}
      heading={t`This coupon is not available`}
      text={t`It may have been removed, or the link may be incomplete.`}
      next={{ to: paths.home, label: t`Browse Coupons` }}
    />
  );
}
