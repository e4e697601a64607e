import { Stack, Text, Title } from '@mantine/core';
import type { Coupon } from '#contract/coupons.ts';
import { OutcomeButtons, OutcomesLine, outcomesText } from '#web/components/outcomes.tsx';
import { writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { useCouponOutcomes, useTellCouponOutcome } from './queries.ts';

/** Whether the code worked for those who got it in a deal; asks who has got it. */
export function CouponOutcomes({ coupon }: { coupon: Coupon }) {
  const { data: outcomes } = useCouponOutcomes(coupon.id);
  if (!outcomes || (!outcomes.mayTell && outcomesText(outcomes, new Date()) === null)) return null;
  return (
    <section aria-labelledby="coupon-outcomes">
      <Title order={2} size="h4" mb={6} id="coupon-outcomes">
        Does the code work?
      </Title>
      <Stack gap={8}>
        <OutcomesLine outcomes={outcomes} />
        <OutcomeQuestion coupon={coupon} />
      </Stack>
    </section>
  );
}

/** Asks who has got the coupon in a deal whether its code worked. */
export function OutcomeQuestion({ coupon: { id, title } }: { coupon: Pick<Coupon, 'id' | 'title'> }) {
  const { data: outcomes } = useCouponOutcomes(id);
  const telling = useTellCouponOutcome();
  if (!outcomes?.mayTell) return null;
  const tell = (worked: boolean) =>
    telling.mutate(
      { id, worked },
      { onError: (error) => toasts.failure('Not saved', writeErrorText(error, 'Please try again.')) },
    );
  return (
    <>
      <ActiveOnly>
        <OutcomeButtons own={outcomes.own} title={title} isPending={telling.isPending} onTell={tell} />
      </ActiveOnly>
      {outcomes.own === false && (
        <Text size="sm" c="dimmed">
          If you paid for it, ask for your money back on the page of your bid.
        </Text>
      )}
    </>
  );
}
