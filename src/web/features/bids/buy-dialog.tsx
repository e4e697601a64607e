import { Box, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { HOLD_HOURS } from '#contract/payments.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { Breakdown } from './breakdown.tsx';
import { NoCodeField } from './no-code-field.tsx';
import { useBuy } from './queries.ts';
import { BINDING, placedText } from './wording.ts';

/** Buys a coupon at its asking price: a bid of it, which leads to the payment. */
export function Component({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  // The price that the buyer sees: the server refuses if it is another by then.
  const [expectedAmount] = useState(coupon.askingPrice ?? '');
  const [acknowledgeNoCode, setAcknowledged] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const navigate = useNavigate();
  const buy = useBuy();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!coupon.hasCode && !acknowledgeNoCode) {
      setIsRefused(true);
      return;
    }
    buy.mutate(
      { couponId: coupon.id, expectedAmount, acknowledgeNoCode },
      {
        onSuccess: (bid) => {
          toasts.success(...placedText(bid));
          navigate(bid.status === 'accepted' ? paths.checkout(bid.id) : paths.myBids);
        },
        onError: (error) => {
          toasts.failure('It was not bought', writeErrorText(error, 'Please try again.'));
          if (isConflict(error)) onClose();
        },
      },
    );
  };
  return (
    <Dialog title="Buy now">
      <Stack>
        <Box maw={400}>
          <CouponTicket coupon={coupon} size="small" isLinked={false} />
        </Box>
        <DialogForm onSubmit={submit} isPending={buy.isPending} cancelLabel="Not now" submitLabel="Buy now">
          <Breakdown label={`${coupon.ownerUsername} asks`} amount={expectedAmount} />
          {!coupon.hasCode && (
            <NoCodeField
              ownerUsername={coupon.ownerUsername}
              label="I know that no code will be revealed, and buy all the same"
              checked={acknowledgeNoCode}
              error={isRefused && !acknowledgeNoCode && TEXTS.bids.confirmNoCode}
              onChange={(event) => setAcknowledged(event.currentTarget.checked)}
            />
          )}
          {coupon.transferable === 'no' && <NotTransferableNote />}
          <Text size="sm">
            Your money is held for {HOLD_HOURS} hours after you have paid. If the code does not work, you can
            claim it back.
          </Text>
          <Text size="sm" c="dimmed">
            {BINDING}
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
