import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { isNetworkFailure } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { FeedbackQuestion } from './coupon-feedback.tsx';
import { KeepCodes } from './keep-codes.tsx';
import { type RedeemableCoupon, RedeemDialog } from './redeem-dialog.tsx';
import { useKeptCode } from './use-kept-code.ts';
import { useMarkUsed } from './used.tsx';

/**
 * Reveals the code of an own coupon, offers to mark it as used, and asks who got it in a deal whether it worked. The server records each reveal, so
 * only the opened dialog asks for the code. The page forgets it when the dialog closes.
 */
export function Component({ coupon, onClose }: { coupon: RedeemableCoupon; onClose: () => void }) {
  const { marking } = useMarkUsed();
  // The answer is not cached.
  const reveal = trpc.coupons.reveal.useMutation({ gcTime: 0 });
  const look = () => reveal.mutate({ id: coupon.id });
  const kept = useKeptCode(coupon.id, isNetworkFailure(reveal.error));
  // Once: React may mount a dialog twice.
  const lookOnce = useRef(look);
  useEffect(() => {
    lookOnce.current();
    lookOnce.current = () => {};
  }, []);
  return (
    <RedeemDialog
      coupon={coupon}
      revealed={reveal.data}
      error={kept === undefined ? null : reveal.error}
      onRetry={look}
      kept={kept ?? null}
      question={
        <>
          <KeepCodes couponId={coupon.id} />
          {coupon.usedAt === null && !coupon.isReserved && (
            <ActiveOnly>
              <Button
                variant="default"
                style={{ alignSelf: 'center' }}
                leftSection={<IconCheck size={18} aria-hidden="true" />}
                loading={marking.isPending && !marking.isPaused}
                disabled={marking.isPaused}
                onClick={() => marking.mutate({ id: coupon.id }, { onSuccess: onClose })}
              >
                Mark as used
              </Button>
            </ActiveOnly>
          )}
          <FeedbackQuestion coupon={coupon} />
        </>
      }
    />
  );
}
