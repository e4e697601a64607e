import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FeedbackQuestion } from '#web/coupons/health/coupon-feedback.tsx';
import { useMarkUsed } from '#web/coupons/using/used.tsx';
import { AddToWallet } from '#web/coupons/wallet-passes/add-to-wallet.tsx';
import { hasCode, isNetworkFailure } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { OfflineChoice } from './offline-choice.tsx';
import { type RedeemableCoupon, RedeemDialog } from './redeem-dialog.tsx';
import { useOfflineCode } from './use-offline-code.ts';
import { useTill } from './use-till.ts';

/** How soon a code is asked for again that its merchant is making. */
const ON_ITS_WAY_MS = 3_000;

/**
 * Reveals the code of an own coupon, offers to mark it as used, and asks who got it in a deal whether it worked. The server records each reveal, so
 * only the opened dialog asks for the code. The page forgets it when the dialog closes. It goes on to the codes of other
 * coupons of the same merchant, and asks for each when the person goes there.
 */
export function Component({ coupon: first, onClose }: { coupon: RedeemableCoupon; onClose: () => void }) {
  const { marking } = useMarkUsed();
  const { coupons, show } = useTill(first);
  const [shownId, setShownId] = useState(first.id);
  const place = coupons.findIndex(({ id }) => id === shownId);
  const coupon = coupons[place] ?? first;
  // The answer is not cached.
  const utils = trpc.useUtils();
  const [onItsWayId, setOnItsWayId] = useState<number | null>(null);
  const reveal = trpc.coupons.reveal.useMutation({
    gcTime: 0,
    onSettled: (_, failure, { id }) => {
      setOnItsWayId(hasCode(failure, 'code_on_its_way') ? id : null);
      // Its pictures and its mark have come with the new code.
      if (failure !== null || onItsWayId !== id) return;
      void utils.coupons.invalidate();
      void utils.coupons.byId.fetch({ id }).then(show, () => {});
    },
  });
  const look = () => reveal.mutate({ id: shownId });
  const isAnswered = reveal.variables?.id === shownId;
  const error = isAnswered ? reveal.error : null;
  const isOnItsWay = onItsWayId === shownId;
  const isAsking = reveal.isPending;
  useEffect(() => {
    if (!isOnItsWay || isAsking) return;
    const timer = setTimeout(() => reveal.mutate({ id: shownId }), ON_ITS_WAY_MS);
    return () => clearTimeout(timer);
  }, [isOnItsWay, isAsking, shownId, reveal.mutate]);
  const offline = useOfflineCode(shownId, isNetworkFailure(error));
  const till = coupons.length > 1 && {
    place,
    count: coupons.length,
    merchant: first.merchant,
    onGo: (next: number) => {
      const { id } = coupons[next] ?? first;
      setShownId(id);
      reveal.mutate({ id });
    },
  };
  // Once: React may mount a dialog twice.
  const lookOnce = useRef(look);
  useEffect(() => {
    lookOnce.current();
    lookOnce.current = () => {};
  }, []);
  return (
    <RedeemDialog
      coupon={coupon}
      till={till || null}
      revealed={isAnswered ? reveal.data : undefined}
      error={offline === undefined ? null : error}
      onRetry={look}
      offline={offline ?? null}
      isOnItsWay={isOnItsWay}
      question={
        <>
          {coupon.usedAt === null && reveal.data?.codeValue && <AddToWallet couponId={coupon.id} />}
          <OfflineChoice couponId={coupon.id} />
          {coupon.usedAt === null && !coupon.isReserved && (
            <ActiveOnly>
              <Button
                variant="default"
                style={{ alignSelf: 'center' }}
                leftSection={<IconCheck size={18} aria-hidden="true" />}
                loading={marking.isPending && !marking.isPaused}
                disabled={marking.isPaused}
                onClick={() => marking.mutate({ id: coupon.id }, { onSuccess: till ? show : onClose })}
              >
                <Trans>Mark as used</Trans>
              </Button>
            </ActiveOnly>
          )}
          <FeedbackQuestion coupon={coupon} />
        </>
      }
    />
  );
}
