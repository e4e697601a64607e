import { t } from '@lingui/core/macro';
import { Box, Stack, Text, Textarea } from '@mantine/core';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { baseCurrency } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { placeBidInputSchema, placeBidWithoutCodeInputSchema } from '#contract/deals/bids.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals/deals.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { DraftNotice } from '#web/components/draft-notice.tsx';
import { NewCodeNote } from '#web/coupons/codes/new-code.tsx';
import { RisksNote } from '#web/deals/core/risks-note.tsx';
import { wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { AmountField, Breakdown, NoCodeField, typedBidSchema } from './bid-fields.tsx';
import { OfferedCover } from './offered-cover.tsx';
import { PaymentWays } from './payment-ways.tsx';
import { BINDING, endedBecause, placedText } from './wording.ts';

/** After a bid is placed, the bids are shown (spec/2 section 9). */
const LEAVE_AFTER_MS = 1_000;

/** Why a bid was not placed (spec/1 section 8). An answer that our server did not write has its own text. */
function placeProblem(error: unknown): string {
  const { placeFailed, placeFailedUnexpected } = TEXTS.bids;
  return writeErrorText(error, (wireErrorOf(error) ? placeFailedUnexpected : placeFailed)());
}

/** Bids money on somebody else's coupon. */
export function Component({ coupon }: { coupon: Coupon }) {
  const navigate = useNavigate();
  const place = trpc.bids.place.useMutation();
  const isPlaced = place.isSuccess && place.data.status !== 'rejected';
  const isBusy = place.isPending || isPlaced;
  useEffect(() => {
    if (!isPlaced) return;
    const timer = setTimeout(() => navigate(paths.myBids), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isPlaced, navigate]);
  const schema = coupon.hasCode ? placeBidInputSchema : placeBidWithoutCodeInputSchema;
  const { form, submit, draft } = useSendForm({
    schema: schema.extend({ amount: typedBidSchema }),
    initial: { couponId: coupon.id, amount: '', message: '', acknowledgeNoCode: false },
    mutation: place,
    done: (bid) => (bid.status === 'rejected' ? null : placedText(bid)),
    onDone: (bid, _, { setErrors }) => {
      if (bid.status === 'rejected') setErrors({ amount: endedBecause(bid, 'bidder') });
    },
    failed: (error) => [TEXTS.bids.placeFailedTitle(), placeProblem(error)],
    closesOn: () => false,
    staysOpen: true,
    draftName: `bid.${coupon.id}`,
    secrets: ['acknowledgeNoCode'],
  });
  return (
    <Dialog title={t`Place a Bid`}>
      <Stack>
        <Box maw={400}>
          <CouponTicket coupon={coupon} size="small" isLinked={false} />
        </Box>
        <DialogForm onSubmit={submit} isPending={isBusy} cancelLabel={t`Not now`} submitLabel={t`Place bid`}>
          <DraftNotice {...draft} />
          <AmountField
            label={t`Your bid (${{ currency: baseCurrency() }})`}
            isDisabled={isBusy}
            input={form.getInputProps('amount')}
          />
          <Breakdown label={t`Your bid`} amount={form.values.amount} />
          <OfferedCover couponId={coupon.id} amount={form.values.amount} side="bidder" />
          <Textarea
            label={t`Message`}
            description={t`Optional. The owner sees it with your bid.`}
            rows={3}
            maxLength={DEAL_MESSAGE_MAX}
            disabled={isBusy}
            {...form.getInputProps('message')}
          />
          {!coupon.hasCode && (
            <NoCodeField
              ownerUsername={coupon.ownerUsername}
              label={t`I understand that I will not see a code, and I still want to bid`}
              disabled={isBusy}
              {...form.getInputProps('acknowledgeNoCode', { type: 'checkbox' })}
            />
          )}
          {coupon.transferable === 'no' && <NotTransferableNote />}
          {coupon.isReissuable && <NewCodeNote merchant={coupon.merchant} />}
          <PaymentWays coupon={coupon} />
          <RisksNote />
          <Text size="sm" c="dimmed">
            {BINDING}
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
