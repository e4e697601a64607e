import { useEffect, useRef } from 'react';
import { trpc } from '#web/lib/trpc.ts';
import { FeedbackQuestion } from './coupon-feedback.tsx';
import { type RedeemableCoupon, RedeemDialog } from './redeem-dialog.tsx';

/**
 * Reveals the code of an own coupon, and asks who got it in a deal whether it worked. The server records each reveal, so
 * only the opened dialog asks for the code. The page forgets it when the dialog closes.
 */
export function Component({ coupon }: { coupon: RedeemableCoupon }) {
  // The answer is not cached.
  const reveal = trpc.coupons.reveal.useMutation({ gcTime: 0 });
  const look = () => reveal.mutate({ id: coupon.id });
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
      error={reveal.error}
      onRetry={look}
      question={<FeedbackQuestion coupon={coupon} />}
    />
  );
}
