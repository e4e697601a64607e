import { Box, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { placeBidInputSchema, placeBidWithoutCodeInputSchema } from '#contract/bids.ts';
import type { Coupon } from '#contract/coupons.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { KeptNotice } from '#web/components/kept-notice.tsx';
import { fieldErrors, wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { useForget, useKeptForm } from '#web/lib/kept-form.ts';
import { toasts } from '#web/lib/toasts.ts';
import { asDecimal } from '#web/lib/typed-amount.ts';
import { Breakdown } from './breakdown.tsx';
import { NoCodeField } from './no-code-field.tsx';
import { usePlaceBid } from './queries.ts';
import { BINDING, endedBecause, placedText } from './wording.ts';

/** After a bid is placed, the bids are shown (spec/2 section 9). */
const LEAVE_AFTER_MS = 1_000;

/** Why a bid was not placed (spec/1 section 8). An answer that our server did not write has its own text. */
function placeProblem(error: unknown): string {
  const { placeFailed, placeFailedUnexpected } = TEXTS.bids;
  return writeErrorText(error, wireErrorOf(error) ? placeFailedUnexpected : placeFailed);
}

/** A schema for an amount, applied to what people type. */
function typedAmount<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z.string().transform(asDecimal).pipe(schema);
}

/** Bids money on somebody else's coupon. */
export function Component({ coupon }: { coupon: Coupon }) {
  const navigate = useNavigate();
  const place = usePlaceBid();
  const isPlaced = place.isSuccess && place.data.status !== 'rejected';
  const isBusy = place.isPending || isPlaced;
  useEffect(() => {
    if (!isPlaced) return;
    const timer = setTimeout(() => navigate(paths.myBids), LEAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isPlaced, navigate]);
  const forget = useForget();
  const name = `bid.${coupon.id}`;
  const schema = coupon.hasCode ? placeBidInputSchema : placeBidWithoutCodeInputSchema;
  const [form, kept] = useKeptForm(
    name,
    {
      initialValues: { couponId: coupon.id, amount: '', message: '', acknowledgeNoCode: false },
      validate: schemaResolver(schema.extend({ amount: typedAmount(schema.shape.amount) }), { sync: true }),
    },
    ['acknowledgeNoCode'],
  );
  const submit = form.onSubmit((values) => {
    place.mutate(
      { ...values, amount: asDecimal(values.amount) },
      {
        onSuccess: (bid) => {
          if (bid.status === 'rejected') {
            form.setErrors({ amount: endedBecause(bid, 'bidder') });
            place.reset();
            return;
          }
          forget(name);
          toasts.success(...placedText(bid));
        },
        onError: (error) => {
          form.setErrors(fieldErrors(error));
          toasts.failure(TEXTS.bids.placeFailedTitle, placeProblem(error));
        },
      },
    );
  });
  return (
    <Dialog title="Place a Bid">
      <Stack>
        <Box maw={400}>
          <CouponTicket coupon={coupon} size="small" isLinked={false} />
        </Box>
        <DialogForm onSubmit={submit} isPending={isBusy} cancelLabel="Not now" submitLabel="Place Bid">
          <KeptNotice {...kept} />
          <TextInput
            label="Your bid (CAD)"
            inputMode="decimal"
            autoComplete="off"
            withAsterisk
            leftSection="$"
            data-autofocus
            disabled={isBusy}
            {...form.getInputProps('amount')}
          />
          <Breakdown label="Your bid" amount={asDecimal(form.values.amount)} />
          <Textarea
            label="Message"
            description="Optional. The owner reads it with your bid."
            rows={3}
            maxLength={DEAL_MESSAGE_MAX}
            disabled={isBusy}
            {...form.getInputProps('message')}
          />
          {!coupon.hasCode && (
            <NoCodeField
              ownerUsername={coupon.ownerUsername}
              label="I know that no code will be revealed, and bid all the same"
              disabled={isBusy}
              {...form.getInputProps('acknowledgeNoCode', { type: 'checkbox' })}
            />
          )}
          {coupon.transferable === 'no' && <NotTransferableNote />}
          <Text size="sm" c="dimmed">
            {BINDING}
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
