import { Anchor, Button, Container, Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { idSchema } from '#contract/primitives.ts';
import { SHELL_TEXTS } from '#contract/shell-texts.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell, usePageTitle } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { AskingPrice } from '#web/features/bids/asking-price.tsx';
import { DealActions } from '#web/features/coupons/coupon-actions.tsx';
import { CouponDetails } from '#web/features/coupons/coupon-details.tsx';
import { CopyLinkButton, OwnerActions } from '#web/features/coupons/owner-actions.tsx';
import { useCoupon } from '#web/features/coupons/queries.ts';
import { dealObstacle } from '#web/features/coupons/wording.ts';
import { CouponMatches } from '#web/features/matches/coupon-matches.tsx';
import { useCouponMatches } from '#web/features/matches/queries.ts';
import { RemovePicture } from '#web/features/moderation/remove-picture.tsx';
import { ReportButton } from '#web/features/moderation/report-button.tsx';
import { useAsMember } from '#web/lib/as-member.ts';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { hasCode } from '#web/lib/errors.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** One coupon, and what this viewer can do with it. */
export function Component() {
  const params = useParams();
  const id = idSchema.safeParse(Number(params.id)).data ?? null;
  const query = useCoupon(id);
  const { user, isLoading: isViewerLoading } = useViewer();
  const feedback = trpc.coupons.feedback.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  const matches = useCouponMatches(user ? id : null);
  const isMoreAwaited = [feedback, matches].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  );
  const { data: coupon, error, isFetching } = query;
  usePageTitle(coupon?.title ?? PAGES.coupon.title);

  if (id === null || (hasCode(error, 'not_found') && !isFetching)) return <CouponNotFound />;
  return (
    <Container size="lg" py={{ base: 20, sm: 32 }}>
      <QueryContent
        // Buttons depend on the viewer; feedback and matches stand between other words: nothing may move on screen.
        query={isViewerLoading || isMoreAwaited ? { ...query, data: undefined } : query}
        errorTitle={TEXTS.coupons.loadFailed}
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
  const asMember = useAsMember();
  const isOwner = coupon.ownerId === user?.id;
  const isFree = !isOwner && dealObstacle(coupon) === null;
  const exchange = () => openDialog('proposeExchange', { coupon });
  const bid = () => openDialog('placeBid', { coupon });
  const validate = () => openDialog('validate', { coupon });
  useDialogLink('exchange', () => user && isFree && exchange());
  useDialogLink('bid', () => user && isFree && bid());
  useDialogLink('validate', () => user && !isOwner && coupon.hasCode && validate());

  return (
    <>
      <Anchor component={Link} to={paths.home} c="inherit" fw={600} lh="44px" mb="xs" display="inline-block">
        <IconArrowLeft size={18} aria-hidden="true" style={{ verticalAlign: '-3px' }} /> All coupons
      </Anchor>
      <Stack gap="xl">
        <CouponTicket
          coupon={coupon}
          size="full"
          titleOrder={1}
          isLinked={false}
          actions={
            <>
              {isOwner ? (
                <OwnerActions
                  coupon={coupon}
                  onDeleted={() => navigate(paths.myCoupons, { replace: true })}
                  isPrimary
                />
              ) : (
                <DealActions
                  coupon={coupon}
                  onExchange={() => asMember(exchange, paths.exchangeFor(coupon.id))}
                  onBid={() => asMember(bid, paths.bidFor(coupon.id), SHELL_TEXTS.requests.logInToBid)}
                  onValidate={() => asMember(validate, paths.validateFor(coupon.id))}
                  isPrimary
                  report={
                    <>
                      <ReportButton
                        userId={coupon.ownerId}
                        username={coupon.ownerUsername}
                        relatedEntityType="coupon"
                        relatedEntityId={coupon.id}
                        pictureUrl={coupon.imageUrl}
                      />
                      <RemovePicture url={coupon.imageUrl} username={coupon.ownerUsername} />
                    </>
                  }
                />
              )}
              <CopyLinkButton id={coupon.id} />
            </>
          }
        />
        <AskingPrice coupon={coupon} isFree={isFree} />
        {user && <CouponMatches coupon={coupon} />}
        <CouponDetails coupon={coupon} />
      </Stack>
    </>
  );
}

function CouponNotFound() {
  return (
    <PageShell title="Coupon not found" size="md">
      <EmptyState
        title="This coupon is not available"
        text="It may have been removed, or the link may be incomplete."
        drawing={<SearchDrawing />}
        action={
          <Button component={Link} to={paths.home}>
            Browse Coupons
          </Button>
        }
      />
    </PageShell>
  );
}
