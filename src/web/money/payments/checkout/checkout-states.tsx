import { t } from '@lingui/core/macro';
import { Alert, Box, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { Surface } from '#web/components/surface.tsx';
import { hasCode, isNetworkFailure, LOADED_LATER, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useIsOnline } from '#web/lib/use-is-online.ts';
import classes from './checkout.module.css';

/** The checkout while it loads, in its final shape. */
export function CheckoutSkeleton() {
  return (
    <div className={classes.columns} role="status" aria-label={t`The checkout is loading`} aria-busy="true">
      <Surface gap={16} className={classes.card} aria-hidden="true">
        <Skeleton height={24} width={150} />
        <CouponTicketSkeleton size="small" />
        <Stack gap="sm">
          <Skeleton height={18} />
          <Skeleton height={18} />
          <Skeleton height={28} mt={14} />
        </Stack>
      </Surface>
      <Surface gap={16} className={`${classes.card} ${classes.payment}`} aria-hidden="true">
        <Skeleton height={24} width={100} />
        <CardFieldsSkeleton />
        <Skeleton height={24} width={220} />
        <Skeleton height={50} radius="xl" />
      </Surface>
      <Surface gap={16} className={classes.card} aria-hidden="true">
        <Skeleton height={24} width={220} />
        <Repeat count={3}>
          <Skeleton height={46} />
        </Repeat>
      </Surface>
    </div>
  );
}

/** The card form while it loads. */
export function CardFormSkeleton() {
  return (
    <Stack gap="md" aria-busy="true" aria-label={t`The card form is loading`} role="status">
      <CardFieldsSkeleton />
      <Skeleton height={50} radius="xl" />
    </Stack>
  );
}

/** The three fields of a card form while they load. */
export function CardFieldsSkeleton() {
  return (
    <Box mih={190} aria-hidden="true">
      <Skeleton height={18} width={110} mb={6} />
      <Skeleton height={44} mb={28} />
      <div className={classes.twoFields}>
        <div>
          <Skeleton height={18} width={90} mb={6} />
          <Skeleton height={44} />
        </div>
        <div>
          <Skeleton height={18} width={90} mb={6} />
          <Skeleton height={44} />
        </div>
      </div>
    </Box>
  );
}

/** The payment system cannot be loaded or reached. */
export function PaymentUnavailable({ onRetry, isRetrying }: { onRetry: () => void; isRetrying?: boolean }) {
  return (
    <ErrorState
      title={TEXTS.checkout.unavailable()}
      message={useIsOnline() ? TEXTS.checkout.unavailableText() : LOADED_LATER}
      onRetry={onRetry}
      isRetrying={isRetrying}
    />
  );
}

/** How long a failed checkout stays on screen (spec/2 section 9). */
const RETURN_AFTER_MS = 3_000;

/** Says why a bid cannot be paid, then goes back to the bids. */
export function PaymentProblem({ text }: { text: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    toasts.failure(TEXTS.checkout.error(), text);
    const timer = setTimeout(() => navigate(paths.myBids, { replace: true }), RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, navigate]);
  return (
    <Stack align="center" gap="sm" py={48} ta="center">
      <Title order={2} size="h3">
        {TEXTS.checkout.error()}
      </Title>
      <Text>{TEXTS.checkout.setupFailed()}</Text>
      <Alert
        color="red"
        role="note"
        maw={520}
        ta="start"
        icon={<IconAlertCircle size={20} aria-hidden="true" />}
      >
        {text}
      </Alert>
      <Button component={Link} to={paths.myBids} replace>
        {TEXTS.checkout.return()}
      </Button>
    </Stack>
  );
}

interface Answers {
  readonly viewerId: number;
  /** Undefined until it is known. */
  readonly bid: Pick<Bid, 'bidderId' | 'status'> | undefined;
  readonly bidError: unknown;
  readonly checkoutError: unknown;
}

/**
 * Why a bid cannot be paid now, in the texts of spec/2 sections 5 and 8; null if it can. What cannot be reached is
 * not a problem of the bid: see `isUnavailable`.
 */
export function checkoutProblem({ viewerId, bid, bidError, checkoutError }: Answers): string | null {
  const { notYours, notAccepted, bidFailed } = TEXTS.checkout;
  if (bid && bid.bidderId !== viewerId) return notYours();
  if (bid && bid.status !== 'accepted') return notAccepted();
  // Strangers get 'not found' for the bid and 'forbidden' for its checkout.
  if (bidError && !isUnavailable(bidError))
    return hasCode(checkoutError, 'forbidden') ? notYours() : bidFailed();
  return checkoutError && !isUnavailable(checkoutError) ? setupProblem(checkoutError) : null;
}

/** The text for a payment that could not be prepared. */
export function setupProblem(error: unknown): string {
  if (hasCode(error, 'seller_not_ready')) return TEXTS.checkout.sellerNotReady();
  return writeErrorText(error, TEXTS.checkout.intentFailed());
}

/** Whether we or the providers cannot be reached; trying again may help. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, 'payments_unavailable') || isNetworkFailure(error);
}
