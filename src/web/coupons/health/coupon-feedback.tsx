import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { FeedbackButtons, FeedbackLine, feedbackText } from '#web/coupons/health/code-feedback.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { timeAgo, useNow } from '#web/lib/time-ago.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { HealthFigure } from './health-figure.tsx';

/** How likely the code is to work and why: when the merchant confirmed it, and whether it worked for those who got it in a deal; asks who has got it. */
export function CouponFeedback({ coupon }: { coupon: Coupon }) {
  const { data: feedback } = trpc.coupons.feedback.useQuery({ id: coupon.id });
  const { data: health } = trpc.health.ofCoupon.useQuery({ id: coupon.id });
  const now = useNow();
  if (!feedback) return null;
  const { confirmedAt, mayGive } = feedback;
  // The reasons of the figure say what was heard of the code.
  const hasFigure = health?.health != null;
  const isTried = mayGive || feedbackText(feedback, now) !== null;
  if (confirmedAt === null && !isTried && !hasFigure) return null;
  return (
    <section aria-labelledby="coupon-feedback">
      <Title order={2} size="h4" mb={6} id="coupon-feedback">
        <Trans>Does the code work?</Trans>
      </Title>
      <Stack gap={8}>
        {hasFigure && <HealthFigure {...health} />}
        {confirmedAt && !hasFigure && (
          <Text size="sm">
            <Trans>Confirmed by the merchant: {timeAgo(confirmedAt, now)}.</Trans>
          </Text>
        )}
        {isTried && !hasFigure && <FeedbackLine feedback={feedback} />}
        <FeedbackQuestion coupon={coupon} />
      </Stack>
    </section>
  );
}

/** Asks who has got the coupon in a deal whether its code worked. */
export function FeedbackQuestion({ coupon: { id, title } }: { coupon: Pick<Coupon, 'id' | 'title'> }) {
  const { data: feedback } = trpc.coupons.feedback.useQuery({ id });
  const giving = trpc.coupons.giveFeedback.useMutation();
  const utils = trpc.useUtils();
  const [isAsking, setAsking] = useState(false);
  if (!feedback?.mayGive) return null;
  const store = (worked: boolean) => giving.mutateAsync({ id, worked });
  /** A code that does not work is a claim, as long as there can be one. */
  const fails = async () => {
    const claim = await utils.claims.ofCoupon.fetch({ couponId: id });
    if (!claim?.mayClaim) {
      await store(false);
      if (claim)
        toasts.neutral(
          t`Answer saved`,
          t`You cannot make a claim about this code: you have made one, or its time is over.`,
        );
    } else if (claim.leg) void openDialog('claimSwap', { legs: [claim.leg] });
    else void openDialog('claimSale', { bidId: claim.dealId, isLate: claim.isLate });
  };
  const tell = (worked: boolean) => {
    setAsking(true);
    (worked ? store(true) : fails())
      .catch((error) => toasts.failed(error, t`Answer not saved`))
      .finally(() => setAsking(false));
  };
  return (
    <ActiveOnly>
      <FeedbackButtons own={feedback.own} title={title} isPending={isAsking} onTell={tell} />
    </ActiveOnly>
  );
}
