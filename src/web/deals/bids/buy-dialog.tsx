import { t } from '@lingui/core/macro';
import { Box, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { buyInputSchema, placeBidWithoutCodeInputSchema } from '#contract/deals/bids.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { RisksNote } from '#web/deals/core/risks-note.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { Breakdown, NoCodeField } from './bid-fields.tsx';
import { OfferedCover } from './offered-cover.tsx';
import { PaymentWays } from './payment-ways.tsx';
import { BUYING_BINDS, placedText } from './wording.ts';

const withoutCodeSchema = buyInputSchema.extend(
  placeBidWithoutCodeInputSchema.pick({ acknowledgeNoCode: true }).shape,
);

/** Buys a coupon at its asking price: a bid of it, which leads to the payment. */
export function Component({ coupon }: { coupon: Coupon }) {
  const navigate = useNavigate();
  const { form, submit, isPending } = useSendForm({
    schema: coupon.hasCode ? buyInputSchema : withoutCodeSchema,
    // The server refuses if the price is another by then.
    initial: { couponId: coupon.id, expectedAmount: coupon.askingPrice ?? '', acknowledgeNoCode: false },
    mutation: trpc.bids.buy.useMutation(),
    done: placedText,
    onDone: ({ id, status }) => navigate(status === 'accepted' ? paths.checkout(id) : paths.myBids),
    failed: [t`Coupon not bought`],
  });
  return (
    <Dialog title={t`Buy now`}>
      <Stack>
        <Box maw={400}>
          <CouponTicket coupon={coupon} size="small" isLinked={false} />
        </Box>
        <DialogForm onSubmit={submit} isPending={isPending} cancelLabel={t`Not now`} submitLabel={t`Buy now`}>
          <Breakdown label={t`${coupon.ownerUsername} asks`} amount={form.values.expectedAmount} />
          {!coupon.hasCode && (
            <NoCodeField
              ownerUsername={coupon.ownerUsername}
              label={t`I understand that I will not see a code, and I still want to buy`}
              {...form.getInputProps('acknowledgeNoCode', { type: 'checkbox' })}
            />
          )}
          {coupon.transferable === 'no' && <NotTransferableNote />}
          {coupon.isReissuable && <NewCodeNote merchant={coupon.merchant} />}
          <PaymentWays coupon={coupon} />
          <OfferedCover couponId={coupon.id} amount={form.values.expectedAmount} side="bidder" />
          <RisksNote />
          <Text size="sm" c="dimmed">
            {BUYING_BINDS}
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
